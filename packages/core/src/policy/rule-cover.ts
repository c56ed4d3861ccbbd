import { isIP } from 'node:net';
import { allowsWord, type CommandPattern } from './command-pattern.js';
import type { HostPattern } from './host-pattern.js';
import type { ParsedRule, Specifier } from './parse-rule.js';
import { compileSegment, type PathSpecifier } from './path-pattern.js';
import type { RuleList } from './rule.js';
import { coversName, mayBeOwnName, SHELL_TOOL, type RuleSubject } from './tool-aliases.js';

/** A rule that was read, and the list it stands in. */
export interface ListedRule {
  readonly list: RuleList;
  readonly parsed: ParsedRule;
}

/**
 * Whether `wide` decides every effect that `narrow` speaks of, by their structure alone. Sound, not complete: true only
 * where it is so for every effect; many rules that do cover each other are not recognised. `wide` must stand in the same
 * list or a stricter one.
 */
export function covers(wide: ListedRule, narrow: ListedRule): boolean {
  const areStrict = { wide: wide.list !== 'allow', narrow: narrow.list !== 'allow' };
  if (areStrict.narrow && !areStrict.wide) return false;
  const [outer, inner] = [wide.parsed, narrow.parsed];
  if (outer.specifier === undefined) return coversWithoutSpecifier(wide, narrow);
  if (inner.specifier === undefined || !isSameSubject(outer.subject, inner.subject)) return false;
  return coversSpecifier(outer.specifier, inner.specifier, areStrict);
}

function coversWithoutSpecifier(
  { list: outerList, parsed: outer }: ListedRule,
  { list, parsed: inner }: ListedRule,
): boolean {
  const { subject } = outer;
  const { specifier } = inner;
  if (subject.by === 'tool') {
    // Every tool there is.
    if (subject.prefix && subject.name === '') return true;
    if (inner.subject.by !== 'tool') return false;
    // A server's own name for a tool does not begin with the prefix.
    if (subject.prefix && list !== 'allow' && mayBeOwnName(inner.subject)) return false;
    return coversName(subject, inner.subject);
  }
  // What a rule on the shell says of commands, the class of commands says as well.
  const isShell = inner.subject.by === 'tool' && !inner.subject.prefix && inner.subject.name === SHELL_TOOL;
  const speaksOfCommands = isShell && specifier?.kind === 'command' && subject.effect === 'run';
  if (!speaksOfCommands && !isSameSubject(subject, inner.subject)) return false;
  // Strict rules on paths also ask before commands that name those paths.
  if (list !== 'allow' && specifier?.kind === 'path') return false;
  // A command that is named whole is allowed what it does outside the workspace too.
  return outerList !== 'allow' || specifier?.kind !== 'command' || !isWhole(specifier.pattern);
}

function isSameSubject(one: RuleSubject, other: RuleSubject): boolean {
  if (one.by === 'effect') return other.by === 'effect' && one.effect === other.effect;
  return other.by === 'tool' && one.name === other.name && one.prefix === other.prefix;
}

interface Strictness {
  readonly wide: boolean;
  readonly narrow: boolean;
}

function coversSpecifier(outer: Specifier, inner: Specifier, areStrict: Strictness): boolean {
  if (outer.kind === 'command' && inner.kind === 'command') {
    return areStrict.narrow
      ? coversStrictCommand(outer.pattern, inner.pattern)
      : coversAllowCommand(outer.pattern, inner.pattern, areStrict.wide);
  }
  if (outer.kind === 'path' && inner.kind === 'path') return coversPath(outer.pattern, inner.pattern, areStrict);
  if (outer.kind === 'host' && inner.kind === 'host') return coversHost(outer.pattern, inner.pattern);
  if (outer.kind === 'secret' && inner.kind === 'secret') return outer.name === inner.name;
  if (outer.kind === 'agent' && inner.kind === 'agent') {
    return areStrict.wide ? outer.name.toLowerCase() === inner.name.toLowerCase() : outer.name === inner.name;
  }
  return false;
}

type PatternWord = CommandPattern['words'][number];

function isWhole({ words, anyRest }: CommandPattern): boolean {
  return !anyRest && words.every((word) => word.length === 1);
}

/** Commands that an allow rule matches, by their words one for one. */
function coversAllowCommand(outer: CommandPattern, inner: CommandPattern, isOuterStrict: boolean): boolean {
  const isOpen = outer.anyRest || isOuterStrict;
  if (outer.variables.length > 0 || (inner.variables.length > 0 && !isOuterStrict)) return outer.text === inner.text;
  if (outer.words.length === 0 || inner.words.length < outer.words.length) return false;
  if (!isOpen && (inner.anyRest || inner.words.length > outer.words.length)) return false;
  // A rule for a whole text settles what other rules cannot.
  if (!isOuterStrict && isWhole(inner)) return outer.text === inner.text;
  // Strict rules compare the words as one text, in which blanks are folded.
  if (isOuterStrict && ![...outer.words, ...inner.words].every(isOneWord)) return false;
  return outer.words.every((word, index) => coversWord(word, inner.words[index] ?? [''], index === 0));
}

function coversWord(outer: PatternWord, inner: PatternWord, isProgram: boolean): boolean {
  const [text] = inner;
  if (inner.length === 1 && text !== undefined) return allowsWord(outer, text, isProgram);
  return isSameWord(outer, inner);
}

/** Commands that a strict rule meets: those that begin with the same words and go on. */
function coversStrictCommand(outer: CommandPattern, inner: CommandPattern): boolean {
  if (outer.text === inner.text) return true;
  if (outer.variables.length + inner.variables.length > 0 || outer.words.length === 0) return false;
  const isPrefix = outer.words.every(
    (word, index) => word.length === 1 && isOneWord(word) && isSameWord(word, inner.words[index] ?? []),
  );
  return isPrefix && (inner.words.length > outer.words.length || outer.literalColon || !inner.literalColon);
}

function isOneWord(word: PatternWord): boolean {
  return word.join('') !== '' && !/\s/.test(word.join(''));
}

function isSameWord(one: PatternWord, other: PatternWord): boolean {
  return one.length === other.length && one.every((piece, index) => piece === other[index]);
}

/** The same beginning and everything below it, or names that match one for one. */
function coversPath(outer: PathSpecifier, inner: PathSpecifier, areStrict: Strictness): boolean {
  if (outer.from !== inner.from || outer.foldersOnly) return false;
  if (areStrict.narrow && inner.mayBeAbsolute === true && outer.mayBeAbsolute !== true) return false;
  const fold = (segment: string): string => (areStrict.wide ? segment.normalize('NFC').toLowerCase() : segment);
  // Brackets mean something else when they are folded.
  if (areStrict.wide && !areStrict.narrow && [...outer.segments, ...inner.segments].some((name) => /[[\\]/.test(name)))
    return false;
  const covered = (segment: string, index: number): boolean => {
    const [one, other] = [fold(segment), fold(inner.segments[index] ?? '')];
    if (one === other) return true;
    if (one === '**' || other === '**' || /[*?[\\]/.test(other)) return false;
    const matches = compileSegment(one, areStrict.wide);
    return matches !== '**' && matches(other);
  };
  const { length } = outer.segments;
  const last = outer.segments[length - 1];
  const above = outer.segments.slice(0, -1);
  if (last === '**' && inner.segments.length >= length) {
    // Otherwise a `**` that stands for no folder at all would let the inner rule end where this one begins.
    return above.every((segment, index) => segment !== '**' && fold(segment) === fold(inner.segments[index] ?? ''));
  }
  if (length !== inner.segments.length) return false;
  // What lies below a name with a wildcard is not meant by an allow rule.
  const isLastSame = fold(last ?? '') === fold(inner.segments[length - 1] ?? '');
  return (areStrict.wide || isLastSame) && outer.segments.every(covered);
}

function coversHost(outer: HostPattern, inner: HostPattern): boolean {
  if (outer.host === inner.host) return !outer.onlyBelow || inner.onlyBelow;
  return isIP(inner.host) === 0 && isIP(outer.host) === 0 && inner.host.endsWith(`.${outer.host}`);
}
