import type { Place } from './matcher-tree.js';

/** What is written down for the matcher beside JavaScript's notation, as `read-tree.ts` reads it. */
export const notation = {
  place: (place: Place): string => `(*${place})`,
  /** The set that follows is one of bytes. */
  bytes: '(*bytes)',
  atomic: (source: string): string => `(?>${source})`,
  group: (number: number, source: string): string => `(?<g${number}>${source})`,
  reference: (groups: readonly number[], ignoreCase: boolean): string =>
    `(*${ignoreCase ? 'uncased' : 'same'}:${groups.join(',')})`,
  call: (group: number): string => `(*call:${group})`,
  /** `test`: `(groups:1,2)`, `(within:1)`, `(within:)`, `(yes)`, `(no)`, or a look ahead or behind. */
  condition: (test: string, branches: string): string => `(?${test}${branches})`,
  verb: (verb: string, name: string): string => `(*${verb}:${name})`,
  /** A look around that gives back; `direction`: `<` for one behind. */
  givingBack: (direction: string, source: string): string => `(?*${direction}=${source})`,
};
