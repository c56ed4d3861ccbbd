/**
 * What a pattern means that JavaScript's expressions cannot say: a tree for the matcher in `matcher-source.ts`. The pattern's readers write
 * it down as they write JavaScript's notation, with more groups than that has (see `notation`), and `read-tree.ts` reads it.
 */
export type MatcherNode =
  /** One character that the set, or the expression for one character, matches; `ofByte`: one byte, by its number. */
  | { readonly kind: 'set'; readonly source: string; readonly ofByte: boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly MatcherNode[] }
  | { readonly kind: 'either'; readonly branches: readonly MatcherNode[] }
  | { readonly kind: 'group'; readonly number: number; readonly body: MatcherNode }
  /** Gives nothing back. */
  | { readonly kind: 'atomic'; readonly body: MatcherNode }
  | {
      readonly kind: 'repeat';
      readonly body: MatcherNode;
      readonly least: number;
      readonly most: number;
      readonly isGreedy: boolean;
    }
  | Look
  /** What the first of these groups matched that took part; nothing matches where none did. */
  | { readonly kind: 'reference'; readonly groups: readonly number[]; readonly ignoreCase: boolean }
  /** The group once more, 0 for the whole pattern. What groups in it match is forgotten. */
  | { readonly kind: 'call'; readonly group: number }
  /** `isWhole`: both branches were written. */
  | {
      readonly kind: 'condition';
      readonly test: Condition;
      readonly yes: MatcherNode;
      readonly no: MatcherNode;
      readonly isWhole: boolean;
    }
  | { readonly kind: 'verb'; readonly verb: string; readonly name: string }
  | { readonly kind: 'place'; readonly place: Place };

export type Condition =
  | { readonly kind: 'groups'; readonly groups: readonly number[] }
  /** Within a call of the group, or of any. */
  | { readonly kind: 'within'; readonly group: number | undefined }
  | { readonly kind: 'known'; readonly holds: boolean }
  | Look;

export interface Look {
  readonly kind: 'look';
  readonly isBehind: boolean;
  readonly isWanted: boolean;
  /** Another way to match it is tried where what follows fails. */
  readonly givesBack: boolean;
  readonly branches: readonly LookBranch[];
}

export interface LookBranch {
  readonly body: MatcherNode;
  /** Characters. */
  least: number;
  most: number;
}

/**
 * `byte` is none, but any byte. `keep`: the match is told from here on. `from`: where the search began. `whole`: between whole characters.
 */
export type Place = 'start' | 'end' | 'from' | 'keep' | 'byte' | 'whole';

export interface MatcherTree {
  readonly root: MatcherNode;
  readonly groups: number;
  /**
   * Whose habits it has. Matches of ripgrep's default engine begin with any byte; those of PCRE2 with whole characters, or where the search
   * begins within one, unless its interpreter does what its compiler cannot.
   */
  readonly engine: 'default' | 'pcre2' | 'pcre2-interpreted';
  /** The text is given as the bytes of its UTF-8, one code unit for each. */
  readonly isOfBytes: boolean;
}
