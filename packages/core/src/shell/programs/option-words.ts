import { mayBeOption, openWord, type ShellWord } from '../words/shell-word.js';

/**
 * What a program does with one of its words. `text`: nothing but its own business. `read`, `write`, `delete`: a path;
 * with `*`, all below it. `folder`: the other paths are relative to it. `address`: a host that it talks to.
 */
export type Role = 'text' | 'read' | 'read*' | 'write' | 'write*' | 'delete' | 'delete*' | 'folder' | 'address';

/** Options that are known, and the roles of the values that they take. */
export interface OptionTable {
  readonly letters: ReadonlyMap<string, Role | undefined>;
  readonly names: ReadonlyMap<string, Role | undefined>;
}

export interface OptionValue {
  readonly option: string;
  readonly role: Role;
  readonly word: ShellWord;
  /** It is a word of its own, which another system may take for an operand. */
  readonly isSeparate: boolean;
}

/** The words of a command by what they are. */
export interface ReadWords {
  /** Options as they were met, with their dashes, values left out. */
  readonly options: readonly string[];
  readonly values: readonly OptionValue[];
  readonly operands: readonly ShellWord[];
  /** Where the operands begin among the words. */
  readonly operandsAt: number;
  /** An option that is not known, or a word that may be one. */
  readonly strange?: string;
}

export interface ReadingRules {
  /** Options end at the first operand, as where another command follows. */
  readonly stopsAtOperand?: boolean;
  /** No option is told apart: one that is not known takes no value, and words that may be options count as operands. */
  readonly isLoose?: boolean;
}

/**
 * Reads a table from text: `-a`, `--all` stand alone; `-n=`, `--lines=` take a value that is a text; `-f=read`,
 * `--output=write` one with that role. A single letter may stand in a cluster. `-#`: any digit.
 */
export function optionTable(text = ''): OptionTable {
  const letters = new Map<string, Role | undefined>();
  const names = new Map<string, Role | undefined>();
  for (const option of text.split(/\s+/).filter(Boolean)) {
    const at = option.indexOf('=');
    const name = at === -1 ? option : option.slice(0, at);
    const role = at === -1 ? undefined : toRole(option.slice(at + 1));
    if (name === '-#') for (const digit of '0123456789') letters.set(digit, undefined);
    else if (/^-[^-]$/.test(name)) letters.set(name.slice(1), role);
    else names.set(name, role);
  }
  return { letters, names };
}

const ROLES: readonly Role[] = ['text', 'read', 'read*', 'write', 'write*', 'delete', 'delete*', 'folder', 'address'];

function toRole(text: string): Role {
  return ROLES.find((role) => role === text) ?? 'text';
}

/** Parts the words behind a program's name into options, their values and operands. */
export function readWords(words: readonly ShellWord[], table: OptionTable, rules: ReadingRules = {}): ReadWords {
  const options: string[] = [];
  const values: OptionValue[] = [];
  const operands: ShellWord[] = [];
  let operandsAt = words.length;
  const done = (strange?: string): ReadWords => ({
    options,
    values,
    operands,
    operandsAt,
    ...(strange !== undefined && { strange }),
  });
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (word.text === '--') {
      operandsAt = Math.min(operandsAt, at + 1);
      operands.push(...words.slice(at + 1));
      break;
    }
    if (!word.start.startsWith('-') || word.text === '-') {
      if (mayBeOption(word) && rules.isLoose !== true) return done(word.source);
      operandsAt = Math.min(operandsAt, at);
      if (rules.stopsAtOperand === true) {
        operands.push(...words.slice(at));
        break;
      }
      operands.push(word);
      continue;
    }
    const read = readOption(word, words[at + 1], table);
    if (read === undefined && rules.isLoose !== true) return done(word.source);
    options.push(...(read?.options ?? looseOptions(word.start)));
    if (read?.value !== undefined) {
      // Several words where one is expected: what is taken for an operand would be another one.
      if (isSeveral(read.value)) return done(word.source);
      values.push(read.value);
    }
    if (read?.takesNext === true) at += 1;
  }
  // Words that are not certain may be several, or none, so that what comes behind stands in other places.
  return operands.some(({ splits }) => splits) && rules.isLoose !== true
    ? done('with words that are not certain')
    : done();
}

/** A wildcard within a word stands for words that begin alike, which are the same option again with other texts. */
function isSeveral({ word, role, isSeparate }: OptionValue): boolean {
  return word.splits || (word.wildcardAt !== undefined && (isSeparate || role !== 'text'));
}

/** A long option without its value, or each letter of a cluster. */
function looseOptions(start: string): string[] {
  return start.startsWith('--') ? [start.split('=', 1)[0] ?? ''] : Array.from(start.slice(1), (letter) => `-${letter}`);
}

interface ReadOption {
  readonly options: readonly string[];
  readonly value?: OptionValue;
  readonly takesNext: boolean;
}

function readOption(
  word: ShellWord,
  next: ShellWord | undefined,
  { letters, names }: OptionTable,
): ReadOption | undefined {
  const { start, text } = word;
  const [name = ''] = start.split('=', 1);
  if (names.has(name)) {
    const role = names.get(name);
    // `--name=value`, also where the value may be left out.
    if (start.length > name.length)
      return {
        options: [name],
        value: { option: name, role: role ?? 'text', word: rest(word, name.length + 1), isSeparate: false },
        takesNext: false,
      };
    if (text === undefined) return undefined;
    if (role === undefined) return { options: [name], takesNext: false };
    return next === undefined
      ? undefined
      : { options: [name], value: { option: name, role, word: next, isSeparate: true }, takesNext: true };
  }
  return start.startsWith('--') ? undefined : readCluster(word, next, letters);
}

function readCluster(
  word: ShellWord,
  next: ShellWord | undefined,
  letters: OptionTable['letters'],
): ReadOption | undefined {
  const { start, text } = word;
  const options: string[] = [];
  for (let at = 1; at < start.length; at += 1) {
    const letter = start.charAt(at);
    if (!letters.has(letter)) return undefined;
    const option = `-${letter}`;
    options.push(option);
    const role = letters.get(letter);
    if (role === undefined) continue;
    const isAttached = at + 1 < start.length || text === undefined;
    if (isAttached)
      return { options, value: { option, role, word: rest(word, at + 1), isSeparate: false }, takesNext: false };
    return next === undefined
      ? undefined
      : { options, value: { option, role, word: next, isSeparate: true }, takesNext: true };
  }
  return text === undefined ? undefined : { options, takesNext: false };
}

/** What is left of a word behind its first characters. */
function rest({ source, text, start, wildcardAt, splits }: ShellWord, from: number): ShellWord {
  const after = start.slice(from);
  if (text === undefined) return openWord(source, { start: after, splits });
  return { source: after, text: after, start: after, wildcardAt: wildcardAt && wildcardAt - from, splits };
}
