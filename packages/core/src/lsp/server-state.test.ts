import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LoadWatch } from './load-watch.js';
import { MOST_OPEN, OpenDocuments } from './open-documents.js';
import { Registrations } from './registrations.js';

interface Told {
  readonly method: string;
  readonly textDocument: { readonly uri: string; readonly version?: number };
}

describe('open documents', () => {
  it('are opened once before they change, never more than 50 at a time, with versions that rise', () => {
    const step = fc.record({ file: fc.nat(80), text: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const told: Told[] = [];
        const documents = new OpenDocuments(
          (method, params) => told.push({ method, ...(params as Omit<Told, 'method'>) }),
          () => 'x',
        );
        for (const { file, text } of steps) documents.sync(`/p/${file}`, text);
        const open = new Set<string>();
        let version = 0;
        for (const { method, textDocument } of told) {
          const { uri } = textDocument;
          if (method === 'textDocument/didOpen') expect(open.has(uri)).toBe(false);
          else expect(open.has(uri)).toBe(true);
          if (method === 'textDocument/didClose') open.delete(uri);
          else {
            open.add(uri);
            expect(textDocument.version).toBeGreaterThan(version);
            version = textDocument.version ?? 0;
          }
          expect(open.size).toBeLessThanOrEqual(MOST_OPEN + 1);
        }
        expect(documents.paths()).toHaveLength(open.size);
        expect(open.size).toBeLessThanOrEqual(MOST_OPEN);
        const last = steps.at(-1);
        if (last !== undefined) expect(documents.get(`/p/${last.file}`)?.text).toBe(last.text);
      }),
    );
  });
});

describe('what a server offers', () => {
  it('is what it said at its start, and what it registered and has not taken back, by id', () => {
    const offers = new Registrations({ hoverProvider: true, renameProvider: false });
    expect([offers.has('textDocument/hover'), offers.has('textDocument/rename')]).toEqual([true, false]);
    const one = { id: '1', method: 'textDocument/diagnostic' };
    offers.register({ registrations: [one, { ...one, id: '2' }] });
    offers.unregister({ unregisterations: [{ id: '1', method: one.method }] });
    expect(offers.has('textDocument/diagnostic')).toBe(true);
    offers.unregister({ unregisterations: [{ id: '2', method: one.method }] });
    expect(offers.has('textDocument/diagnostic')).toBe(false);
    offers.register(null);
  });

  it('names the commands of both', () => {
    const offers = new Registrations({ executeCommandProvider: { commands: ['a'] } });
    const registerOptions = { commands: ['b'] };
    offers.register({ registrations: [{ id: '1', method: 'workspace/executeCommand', registerOptions }] });
    expect([...offers.commands()]).toEqual(['a', 'b']);
  });
});

describe('what a server says of its work', () => {
  const { signal } = new AbortController();

  it('is waited for until it ends, but for what goes on beside', async () => {
    const watch = new LoadWatch();
    watch.take('check', { kind: 'begin', title: 'cargo check' });
    watch.take('load', { kind: 'begin', title: 'Loading' });
    expect(watch.isLoading).toBe(true);
    const settled = watch.settled(5_000, signal);
    watch.take('load', { kind: 'end' });
    expect(await settled).toBe(true);
  });

  it('is not waited for longer than that', async () => {
    const watch = new LoadWatch();
    watch.take('load', { kind: 'begin', title: 'Loading' });
    expect(await watch.settled(20, signal)).toBe(false);
    watch.take('odd', 'nothing');
  });
});
