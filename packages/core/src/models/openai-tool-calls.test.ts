import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createToolCallAssembler } from './openai-tool-calls.js';

interface Assembled {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
}

/** Returns the whole calls of an answer. */
function assemble(deltas: readonly unknown[]): readonly Assembled[] {
  const assembler = createToolCallAssembler((name) => name);
  for (const delta of deltas) assembler.push(delta);
  return assembler.whole().map((event) => {
    if (event.type !== 'tool-call-delta') throw new Error(event.type);
    const { id = '', name = '', argumentsText = '' } = event;
    return call(id, name, argumentsText);
  });
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

  it.each([
    ['in a last chunk', [piece(0, 'a', 'read', '{"p":1}'), piece(0, 'a', 'read', '{"p":1}')]],
    [
      'under a second index',
      [piece(0, 'a', 'read', '{"p":1}'), piece(1, 'a', 'read', '{"p":'), piece(1, undefined, undefined, '1}')],
    ],
    ['with other blanks', [piece(0, 'a', 'read', '{"p":1}'), piece(1, 'a', 'read', '{ "p": 1 }')]],
    [
      'in a last chunk without id and name',
      [piece(0, 'a', 'read', '{"p":1}'), piece(0, undefined, undefined, '{"p":1}')],
    ],
    [
      'in a last chunk without an index',
      [piece(undefined, 'a', 'read', '{"p":1}'), piece(undefined, 'a', 'read', '{"p":1}')],
    ],
    [
      'behind another',
      [piece(0, 'a', 'read', '{"p":1}'), piece(1, 'b', 'read', '{"p":2}'), piece(0, 'a', 'read', '{"p":1}')],
    ],
  ])('gives a call that is said again %s once', (_, deltas) => {
    expect(assemble(deltas)[0]).toEqual(call('a', 'read', '{"p":1}'));
    expect(assemble(deltas).filter(({ argumentsText }) => argumentsText.includes('1'))).toHaveLength(1);
  });

  it.each([
    [
      'in pieces',
      [piece(0, 'a', 'read', '{}'), piece(0, undefined, undefined, '{"p":'), piece(0, undefined, undefined, '1}')],
    ],
    [
      'with id and name in every piece',
      [piece(0, 'a', 'read', '{}'), piece(0, 'a', 'read', '{"p":'), piece(0, 'a', 'read', '1}')],
    ],
    ['at once', [piece(0, 'a', 'read', '{} {"p":1}')]],
  ])('drops an empty object before the arguments %s', (_, deltas) => {
    expect(assemble(deltas)).toEqual([call('a', 'read', '{"p":1}')]);
  });

  it.each([
    ['null', { index: null, id: null, function: { name: 'read', arguments: '{"p":1}' } }],
    ['absent', { function: { name: 'read', arguments: '{"p":1}' } }],
    ['absent, without a function around the name', { name: 'read', arguments: { p: 1 } }],
  ])('takes a call whose index and id are %s', (_, delta) => {
    expect(assemble([delta])).toEqual([call(expect.stringMatching(/^call_/) as string, 'read', '{"p":1}')]);
  });

  it('survives deltas of any shape', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (deltas) => {
        expect(assemble(deltas).length).toBeLessThanOrEqual(deltas.length);
      }),
    );
  });
});
