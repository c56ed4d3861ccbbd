import { resolve } from 'node:path';
import { NOTHING_KNOWN, does, unclear, type PathUse, type ProgramCall, type ProgramFacts } from '../program-facts.js';
import { constantWord, exactText, type ShellWord } from '../words/shell-word.js';
import type { ListNames } from '../words/match-names.js';
import { optionTable, readWords, type OptionTable, type ReadWords, type Role } from './option-words.js';

/**
 * A program that does nothing but what its row says. A row is data with a reason; what a row cannot say is judged by a
 * function of its own (`ProgramJudge`). Options that a row does not name make the command unclear: abbreviations, letters
 * of later versions, and what was left out on purpose. Where systems read an option in different ways, the row holds for
 * all of them.
 */
export interface ProgramRow {
  /** Names, separated by blanks. */
  readonly names: string;
  /** Why the row may be trusted: what the program does at most. */
  readonly reason: string;
  /** As `optionTable` reads them. */
  readonly options?: string;
  /** Every option there is only changes what is printed: none is told apart, and a wildcard may stand for one. */
  readonly anyOption?: boolean;
  /** Operands by their place; the last role holds for all further ones. None: operands make the command unclear. */
  readonly operands?: readonly Role[];
  /** What the text of every operand must be like. */
  readonly operandsLike?: RegExp;
  /** A word like this, wherever it stands, makes the command unclear. */
  readonly unlessWord?: RegExp;
  /** Of folders it reads the files that lie in them, wherever links lead, so that more is read than is told. */
  readonly readsFolders?: boolean;
  /** With one of these options the first operand is missing (`grep -e text file`). */
  readonly firstGivenBy?: string;
  /** With one of these options paths that are read mean all below them. */
  readonly treeWith?: string;
  /** With one of these options more is read than is told, as links are followed; with one of `unlessWith` it is not. */
  readonly moreWith?: string;
  readonly unlessWith?: string;
  /** Options whose value, when it is a word of its own, is an operand on other systems: all words then count as paths. */
  readonly shiftingOptions?: string;
  /** What it uses where no operand is a path; `with`: only when one of these options is there. */
  readonly without?: { readonly role: Role; readonly path: string; readonly with?: string };
  /** Without one of these options nothing is known of it. */
  readonly needs?: string;
  /** A command that is not as the row says is an ordinary program, on which rules may decide. */
  readonly isOrdinaryElse?: boolean;
}

/** What is asked about the machine. Every answer may only raise. */
export interface ProgramSurroundings {
  /** False: a program of that name would be one of the project's own. */
  readonly isSystemProgram?: (name: string) => boolean;
  /** Returns true if git's read-only commands start no program that the repository of this folder names. */
  readonly isTrustedRepository?: (folder: string) => boolean;
  /** The names in a folder; none where it is no folder; undefined when they cannot be told. */
  readonly list?: ListNames;
}

/** Judges one program by its words. */
export type ProgramJudge = (call: ProgramCall, surroundings: ProgramSurroundings) => ProgramFacts;

/** One name and how it is judged. */
export type NamedJudge = readonly [name: string, judge: ProgramJudge];

/** What a program does at least: an ordinary program otherwise. */
export function atLeast(facts: Partial<Pick<ProgramFacts, 'paths' | 'addresses' | 'starts'>>): ProgramFacts {
  return { ...NOTHING_KNOWN, ...facts };
}

/** The judges of rows, by name. */
export function judgesOfRows(rows: readonly ProgramRow[]): NamedJudge[] {
  return rows.flatMap((row) => named(row.names, judgeByRow(row)));
}

/** The same judge under several names, separated by blanks. */
export function named(names: string, judge: ProgramJudge): NamedJudge[] {
  return names.split(' ').map((name) => [name, judge]);
}

/** The judge of a row. */
function judgeByRow(row: ProgramRow): ProgramJudge {
  const table = optionTable(row.options);
  return (call, { list }) => {
    const read = readWords(call.words, table, { isLoose: row.anyOption === true });
    const unlike = row.unlessWord && call.words.find(({ text }) => row.unlessWord?.test(text ?? '') === true);
    const strange = read.strange ?? unlike?.source ?? strangeOperand(row, read.operands);
    if (strange === undefined) {
      const isMore = row.readsFolders === true && !read.operands.every((word) => isEmpty(word, call.folders, list));
      return factsOf(row, read, isMore);
    }
    if (row.isOrdinaryElse === true && call.words.every((word) => exactText(word) !== undefined)) return NOTHING_KNOWN;
    return unclear(`\`${call.name} ${short(strange)}\``, { paths: changesOf(row, call.words, table) });
  };
}

/** What is changed all the same, where a word is not certain: every word that may be no option is taken for an operand, and a delete of what nobody knows is said too. */
function changesOf(row: ProgramRow, words: readonly ShellWord[], table: OptionTable): readonly PathUse[] {
  const { paths } = factsOf(row, readWords(words, table, { isLoose: true }), false);
  return paths.filter(({ kind, word }) => kind === 'delete' || (kind === 'write' && word.text !== undefined));
}

function strangeOperand(
  { operands: roles, operandsLike }: ProgramRow,
  operands: readonly ShellWord[],
): string | undefined {
  if (roles === undefined) return operands[0]?.source;
  const isStrange = (word: ShellWord): boolean => operandsLike?.test(exactText(word) ?? '\0') === false;
  const strange = operands.find(isStrange);
  if (strange !== undefined) return strange.source;
  // A wildcard may be several words, so that all behind it may stand in the next place.
  const first = operands.findIndex(({ wildcardAt }) => wildcardAt !== undefined);
  const later = first === -1 ? [] : roles.slice(Math.min(first, roles.length - 1));
  const changes = later.some((role) => role !== later[0] && /^(?:write|delete|address|folder)/.test(role));
  return changes ? operands[first]?.source : undefined;
}

/** Certainly no folder with something in it. */
function isEmpty(word: ShellWord, folders: readonly string[] | undefined, list: ListNames | undefined): boolean {
  const path = exactText(word);
  if (path === '-') return true;
  if (path === undefined || folders === undefined || list === undefined) return false;
  return folders.every((folder) => list(resolve(folder, path))?.length === 0);
}

function factsOf(row: ProgramRow, read: ReadWords, isMore: boolean): ProgramFacts {
  const { options, values, operands } = read;
  const has = (names: string | undefined): boolean => names?.split(' ').some((name) => options.includes(name)) === true;
  if (row.needs !== undefined && !has(row.needs)) return NOTHING_KNOWN;
  const isShifted = values.some((value) => value.isSeparate && row.shiftingOptions?.split(' ').includes(value.option));
  const roles = has(row.firstGivenBy) ? (row.operands ?? []).slice(1) : (row.operands ?? []);
  const wildcard = operands.findIndex(({ wildcardAt }) => wildcardAt !== undefined);
  const used = operands.map((word, index): Used => {
    const isAnywhere = isShifted || (wildcard !== -1 && index >= wildcard);
    const role = (isAnywhere ? undefined : roles[index]) ?? roles.at(-1) ?? 'text';
    // Names that a wildcard lists are read from a folder, whatever is done with them.
    return { word, role: role === 'text' && word.wildcardAt !== undefined ? 'read' : role };
  });
  const { without } = row;
  if (without !== undefined && !used.some(isPath) && (without.with === undefined || has(without.with)))
    used.push({ role: without.role, word: constantWord(without.path) });
  const folder = values.find(({ role }) => role === 'folder')?.word;
  const given = isShifted
    ? values.map((value) => ({ ...value, role: value.role === 'text' ? 'read' : value.role }))
    : values;
  const all: Used[] = [...given, ...used];
  const facts = {
    paths: all.flatMap(({ role, word }) => pathOf(role, word, { isTree: isMore || has(row.treeWith), folder })),
    addresses: all.flatMap(({ role, word }) => (role === 'address' ? [word] : [])),
  };
  return (isMore || has(row.moreWith)) && !has(row.unlessWith) ? atLeast(facts) : does(facts);
}

interface Used {
  readonly role: Role;
  readonly word: ShellWord;
}

function isPath({ role }: Used): boolean {
  return role !== 'text' && role !== 'address';
}

/** The path that a word of that role means; none for the standard input. What is written to `-` may be a file of that name. */
export function pathOf(
  role: Role,
  word: ShellWord,
  { isTree = false, folder }: { readonly isTree?: boolean; readonly folder?: ShellWord | undefined } = {},
): PathUse[] {
  if (role === 'text' || role === 'address' || role === 'folder') return [];
  if (role.startsWith('read') && word.text === '-') return [];
  const tree = role.endsWith('*') || (isTree && role === 'read');
  const kind =
    role === 'read' || role === 'read*' ? 'read' : role === 'write' || role === 'write*' ? 'write' : 'delete';
  return [{ kind, word, ...(tree && { tree }), ...(folder !== undefined && { from: folder }) }];
}

/** A part of a command, for a reason. */
export function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
