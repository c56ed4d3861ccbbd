import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createToolCallAssembler } from './openai-tool-calls.js';

interface Assembled {
  id?: string;
  name?: string;
  argumentsText: string;
}

/** What the loop makes of the events: the calls by index. */
function assemble(deltas: readonly unknown[]): readonly Assembled[] {
  const assembler = createToolCallAssembler((name) => name);
  const calls: Assembled[] = [];
  for (const event of [...deltas.flatMap((delta) => assembler.push(delta)), ...assembler.end()]) {
    if (event.type !== 'tool-call-delta') throw new Error(event.type);
    const call = (calls[event.index] ??= { argumentsText: '' });
    // Id and name are said once: whoever puts calls together may add texts up.
    if (event.id !== undefined) call.id = (call.id ?? '') + event.id;
    if (event.name !== undefined) call.name = (call.name ?? '') + event.name;
    call.argumentsText += event.argumentsText ?? '';
  }
  return calls;
}

const piece = (index: number | undefined, id: string | undefined, name: string | undefined, args: unknown): object => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  function: { ...(name === undefined ? {} : { name }), arguments: args },
});

const call = (id: string, name: string, argumentsText: string): Assembled => ({ id, name, argumentsText });

describe('createToolCallAssembler', () => {
  it('puts parallel calls together however their pieces are cut and mixed', () => {
    const args = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }).map((value) => JSON.stringify(value));
    const calls = fc.array(fc.record({ name: fc.constantFrom('read', 'edit'), args }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 9 }), fc.infiniteStream(fc.nat()), (wanted, size, dice) => {
        const queues = wanted.map(({ name, args: text }, index) => [
          piece(index, `id${index}`, name, ''),
          ...(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map((part) =>
            piece(index, undefined, undefined, part),
          ),
        ]);
        const mixed: object[] = [];
        // First pieces come in order; the rest as the dice fall.
        for (const queue of queues) mixed.push(...queue.splice(0, 1));
        while (queues.some((queue) => queue.length > 0)) {
          const open = queues.filter((queue) => queue.length > 0);
          mixed.push(...(open[(dice.next().value ?? 0) % open.length]?.splice(0, 1) ?? []));
        }
        expect(assemble(mixed)).toEqual(wanted.map(({ name, args: text }, index) => call(`id${index}`, name, text)));
      }),
    );
  });

  it('tells whole calls apart that have no index', () => {
    const deltas = [
      piece(undefined, 'a', 'read', '{"p":1}'),
      piece(undefined, 'b', 'read', '{"p":2}'),
      piece(undefined, 'c', 'list', ''),
      piece(undefined, 'd', 'list', ''),
    ];
    expect(assemble(deltas)).toEqual([
      call('a', 'read', '{"p":1}'),
      call('b', 'read', '{"p":2}'),
      call('c', 'list', ''),
      call('d', 'list', ''),
    ]);
  });

  it('tells calls apart that all say index 0', () => {
    const deltas = [
      piece(0, 'a', 'read', ''),
      piece(0, undefined, undefined, '{"p":'),
      piece(0, undefined, undefined, '1}'),
      piece(0, 'b', 'read', '{"p":2}'),
      piece(0, 'c', 'edit', ''),
      piece(0, undefined, undefined, '{}'),
    ];
    expect(assemble(deltas)).toEqual([
      call('a', 'read', '{"p":1}'),
      call('b', 'read', '{"p":2}'),
      call('c', 'edit', '{}'),
    ]);
  });

  it('continues pieces without an index by their id, else the latest call', () => {
    const deltas = [
      piece(undefined, 'a', 'read', ''),
      piece(undefined, 'b', 'edit', ''),
      piece(undefined, 'a', undefined, '{"p":1}'),
      piece(undefined, undefined, undefined, '{"q"'),
      piece(undefined, 'b', undefined, ':2}'),
    ];
    expect(assemble(deltas)).toEqual([call('a', 'read', '{"p":1}'), call('b', 'edit', '{"q":2}')]);
  });

  it('takes id and name once from a server that repeats them with every piece', () => {
    const deltas = ['', '{"p"', ':1', '}', ''].map((args) => piece(0, 'a', 'read', args));
    expect(assemble(deltas)).toEqual([call('a', 'read', '{"p":1}')]);
    const withoutIndex = ['', '{"p"', ':1}'].map((args) => piece(undefined, 'a', 'read', args));
    expect(assemble(withoutIndex)).toEqual([call('a', 'read', '{"p":1}')]);
  });

  it('keeps the first id of a server that makes a new one for every piece', () => {
    const deltas = [piece(0, 'a', 'read', ''), piece(0, 'b', undefined, '{"p"'), piece(0, 'c', undefined, ':1}')];
    expect(assemble(deltas)).toEqual([call('a', 'read', '{"p":1}')]);
  });

  it('gives two calls with one id ids of their own', () => {
    expect(assemble([piece(0, 'x', 'read', '{}'), piece(1, 'x', 'edit', '{}')])).toEqual([
      call('x', 'read', '{}'),
      call('x_1', 'edit', '{}'),
    ]);
  });

  it('makes up an id where the server sends none', () => {
    const [first, second] = assemble([piece(undefined, '', 'read', '{}'), piece(undefined, '', 'edit', '{}')]);
    expect([first?.name, second?.name]).toEqual(['read', 'edit']);
    expect(first?.id).toMatch(/^call_\w{32}$/);
    expect(second?.id).not.toBe(first?.id);
  });

  it('takes arguments that come as an object', () => {
    expect(assemble([piece(0, 'a', 'read', { p: [1] })])).toEqual([call('a', 'read', '{"p":[1]}')]);
  });

  it('survives deltas of any shape', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (deltas) => {
        expect(assemble(deltas).length).toBeLessThanOrEqual(deltas.length);
      }),
    );
  });
});
