import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseOffered, type OfferedTool } from './choose-offered.js';

const own = (name: string): OfferedTool => ({ name, isForeign: false, size: 0 });
const foreign = (name: string, size = 10): OfferedTool => ({ name, isForeign: true, size });
const NEW = { before: [], found: [] };

describe('chooseOffered', () => {
  it('offers all while those of others fit, and else the built-in ones', () => {
    const tools = [own('a'), foreign('x'), own('b'), foreign('y')];
    expect(chooseOffered(tools, { ...NEW, budget: 20 })).toEqual({ offered: ['a', 'x', 'b', 'y'], deferred: [] });
    expect(chooseOffered(tools, { ...NEW, budget: 19 })).toEqual({ offered: ['a', 'b'], deferred: ['x', 'y'] });
    expect(chooseOffered([own('a')], { ...NEW, budget: 0 }).deferred).toEqual([]);
  });

  it('adds what was found behind what was offered, in the order in which it was found', () => {
    const tools = [own('a'), foreign('x'), foreign('y'), foreign('z')];
    const choice = chooseOffered(tools, { before: ['a', 'z'], found: ['z', 'x', 'gone'], budget: 5 });
    expect(choice).toEqual({ offered: ['a', 'z', 'x'], deferred: ['y'] });
  });

  it('takes nothing back when more comes than fits', () => {
    const choice = chooseOffered([own('a'), foreign('x'), foreign('y', 90)], {
      before: ['a', 'x'],
      found: [],
      budget: 50,
    });
    expect(choice).toEqual({ offered: ['a', 'x'], deferred: ['y'] });
  });

  it('leaves the order of what was offered as it was, and offers or defers each tool once (law)', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const tool = fc.record({ name, isForeign: fc.boolean(), size: fc.nat(30) });
    const names = fc.uniqueArray(name);
    fc.assert(
      fc.property(
        fc.uniqueArray(tool, { selector: (each) => each.name }),
        fc.record({ before: names, found: names, budget: fc.nat(100) }),
        (tools, given) => {
          const { offered, deferred } = chooseOffered(tools, given);
          const there = new Set(tools.map((each) => each.name));
          expect([...offered, ...deferred].toSorted()).toEqual([...there].toSorted());
          const stayed = given.before.filter((each) => there.has(each));
          expect(offered.slice(0, stayed.length)).toEqual(stayed);
          expect(tools.filter((each) => !each.isForeign && deferred.includes(each.name))).toEqual([]);
          for (const each of given.found) if (there.has(each)) expect(offered).toContain(each);
        },
      ),
    );
  });
});
