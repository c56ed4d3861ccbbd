import type { DoubleQuotedChild, LiteralPart, ParameterExpansionPart, Word, WordPart } from 'unbash';
import { assignedIn, checkArithmetic } from './arithmetic.js';
import { expandBraces } from './expand-braces.js';
import type { ExpansionPlace } from './expansion-place.js';
import { FieldBuilder } from './field-builder.js';
import { argumentsOf, valueOf } from './parameters.js';
import { constantWord, isInteger, openWord, type ShellWord } from './shell-word.js';

/** The words that a word of a command becomes: several, one or none. A variable with several possible values counts as open. */
export function expandWord(word: Word, place: ExpansionPlace): ShellWord[] {
  if (!place.listener.begin(word)) return [openWord(word.text, { splits: true })];
  const parts = partsOf(word);
  const name = nameOfFile(parts, place);
  if (name !== undefined) return [{ ...name, source: word.text }];
  if (parts.some(holdsStrayBrace)) place.listener.doubt('a brace expansion');
  if (!parts.some(({ type }) => type === 'BraceExpansion')) return build(word.text, parts, place, false).fields();
  const lists = expandBraces(parts);
  if (lists === undefined) {
    place.listener.doubt('a brace expansion');
    for (const part of parts) expandInner(part, place);
    return [openWord(word.text, { splits: true })];
  }
  return lists.flatMap((each) => build(word.text, each, place, false).fields());
}

/** One value, as an assignment, a redirection or `case` takes it: nothing is parted. */
export function expandValue(word: Word, place: ExpansionPlace): ShellWord {
  if (!place.listener.begin(word)) return openWord(word.text);
  return build(word.text, partsOf(word), place, true).fields()[0] ?? constantWord('', word.text);
}

function partsOf({ parts, pos, end, value, text }: Word): readonly WordPart[] {
  return parts ?? [{ type: 'Literal', pos, end, value, text }];
}

/** `"$f"` where `f` goes through the names that a wildcard stands for. */
function nameOfFile([part, ...more]: readonly WordPart[], place: ExpansionPlace): ShellWord | undefined {
  if (part?.type !== 'DoubleQuoted' || more.length > 0 || part.parts.length !== 1) return undefined;
  const [inner] = part.parts;
  const name =
    inner?.type === 'SimpleExpansion' || inner?.type === 'ParameterExpansion'
      ? /^\$\{?(\w+)\}?$/.exec(inner.text)?.[1]
      : undefined;
  const value = name === undefined ? undefined : valueOf(name, place);
  if (value?.wildcardAt === undefined || value.text === undefined) return undefined;
  return place.listener.fill(value.text.length) ? value : undefined;
}

/** The grammar and the shell may differ on what a brace is. */
function holdsStrayBrace(part: WordPart): boolean {
  if (part.type !== 'Literal') return false;
  const bare = part.text.replaceAll(/\\./gs, '');
  return bare.includes('{') && /,|\.\./.test(bare);
}

function build(source: string, parts: readonly WordPart[], place: ExpansionPlace, asValue: boolean): FieldBuilder {
  const into = new FieldBuilder(source);
  for (const [index, part] of parts.entries()) {
    const isTilde = part.type === 'Literal' && index === 0 && part.text.startsWith('~');
    // Next to a quote, a `~` is one.
    if (isTilde && (parts.length === 1 || part.text.includes('/'))) expandTilde(part, into, place);
    // In a value, and in a word that looks like an assignment, one may stand behind `:` and `=`.
    else if (part.type === 'Literal' && mayHoldTilde(part.text, asValue)) {
      place.listener.doubt('a `~` that stands for a folder');
      into.open(false);
    } else expandPart(part, into, place, asValue);
  }
  return into;
}

function mayHoldTilde(text: string, asValue: boolean): boolean {
  if (asValue) return /[:=]~/.test(text);
  const at = text.indexOf('=');
  return at !== -1 && (text.includes('=~', at) || text.includes(':~', at));
}

function expandTilde({ text, value }: LiteralPart, into: FieldBuilder, { home, listener }: ExpansionPlace): void {
  if (home !== undefined && /^~(?:$|\/)/.test(text) && !/[:=]~/.test(text)) into.quoted(home + value.slice(1));
  else {
    listener.doubt('a `~` that stands for a folder');
    into.open(false);
  }
}

function expandPart(part: WordPart, into: FieldBuilder, place: ExpansionPlace, asValue: boolean): void {
  switch (part.type) {
    case 'Literal':
      expandLiteral(part, into, asValue);
      return;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      into.quoted(part.value);
      return;
    case 'DoubleQuoted':
      if (part.parts.length !== 1 || !isNoWord(part.parts[0], place)) into.quoted('');
      for (const child of part.parts) expandChild(child, into, place, false);
      return;
    case 'Glob':
      expandInner(part, place);
      if (asValue && !HOLDS_MORE.test(part.text)) into.quoted(part.text);
      else if (HOLDS_MORE.test(part.text)) into.open(!asValue);
      else into.wildcard(part.text);
      return;
    case 'BraceExpansion':
      // Only where nothing is expanded by braces, as in an assignment.
      expandInner(part, place);
      if (HOLDS_MORE.test(part.text)) into.open(true);
      else into.quoted(part.text);
      return;
    case 'ProcessSubstitution':
      place.listener.script(part.script, place.state, part.operator === '>' ? 'open' : undefined);
      // The name of a pipe: no file of anybody's.
      into.quoted('/dev/fd/63');
      return;
    case 'ExtendedGlob':
      expandInner(part, place);
      place.listener.doubt('an extended pattern');
      into.open(true);
      return;
    case 'LocaleString':
      expandInner(part, place);
      place.listener.doubt('a `$"…"` string');
      into.open(false);
      return;
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
      expandChild(part, into, place, !asValue);
      return;
    default:
      part satisfies never;
  }
}

/** Quotes and expansions within a pattern or braces, and names of sets that need a locale. */
const HOLDS_MORE = /["'\\$`]|\[[=.]/;

/** For the commands within; what becomes of the text is another matter. */
function expandInner(part: WordPart, place: ExpansionPlace): void {
  if (!('parts' in part)) return;
  const unseen = new FieldBuilder('');
  for (const inner of part.parts ?? []) expandPart(inner, unseen, place, true);
}

function expandLiteral({ text, value }: LiteralPart, into: FieldBuilder, asValue: boolean): void {
  // Where the grammar saw no wildcard, the shell may.
  if (!asValue && /[*?]/.test(text.replaceAll(/\\./gs, ''))) into.open(true);
  else into.quoted(value);
}

/** `"$@"` without arguments: no word at all. */
function isNoWord(child: DoubleQuotedChild | undefined, { state }: ExpansionPlace): boolean {
  const isAll = child?.type === 'SimpleExpansion' || child?.type === 'ParameterExpansion';
  return isAll && /^\$(?:@|\{@\})$/.test(child.text) && state.args?.length === 0;
}

function expandChild(part: DoubleQuotedChild, into: FieldBuilder, place: ExpansionPlace, splits: boolean): void {
  switch (part.type) {
    case 'Literal':
      into.quoted(part.value);
      return;
    case 'SimpleExpansion':
      expandVariable(part.text.slice(1), into, place, splits);
      return;
    case 'ParameterExpansion':
      expandParameter(part, into, place, splits);
      return;
    case 'CommandExpansion':
      fillIn(place.listener.script(part.script, place.state)?.replace(/\n+$/, ''), into, place, splits);
      return;
    case 'ArithmeticExpansion':
      checkArithmetic(part.expression, place);
      if (assignedIn(part.expression).length > 0) place.listener.doubt('arithmetic that sets a variable');
      into.number();
      return;
    default:
      part satisfies never;
  }
}

function expandVariable(name: string, into: FieldBuilder, place: ExpansionPlace, splits: boolean): void {
  if (name === '@' || name === '*') {
    const args = argumentsOf(place.state);
    if (args?.length === 0) return;
    if (args !== undefined && !splits && name === '@' && place.listener.fill(lengthOf(args))) into.words(args);
    else into.open(splits || name === '@');
    return;
  }
  const value = valueOf(name, place);
  if (value !== undefined && isInteger(value) && value.text === undefined) into.number();
  else fillIn(value?.wildcardAt === undefined ? value?.text : undefined, into, place, splits);
}

/** Inserts a value for an expansion; undefined: the value is unknown. */
function fillIn(text: string | undefined, into: FieldBuilder, { listener }: ExpansionPlace, splits: boolean): void {
  if (text === undefined || !listener.fill(text.length)) into.open(splits);
  else if (splits) into.split(text);
  else into.quoted(text);
}

/** An empty word takes its time as well. */
function lengthOf(words: readonly ShellWord[]): number {
  return words.reduce((length, { start }) => length + start.length + 1, 0);
}

function expandParameter(
  { parameter, prefix, index, operation, text }: ParameterExpansionPart,
  into: FieldBuilder,
  place: ExpansionPlace,
  splits: boolean,
): void {
  const { doubt } = place.listener;
  const strange = `the expansion \`${text.slice(0, 40)}\``;
  if (prefix === '!' || operation?.type === 'Transform' || operation?.type === 'Unknown' || operation?.type === 'Names')
    doubt(strange);
  // A subscript is arithmetic, and that can run commands.
  if (index !== undefined && !/^(?:[@*]|\d+)$/.test(index.text)) {
    doubt(`the subscript of \`${text.slice(0, 40)}\``);
    expandValue(index, place);
  }
  if (operation?.type === 'Default' && operation.operator.endsWith('=')) doubt('an expansion that sets a variable');
  for (const word of wordsOf(operation)) expandValue(word, place);
  // A length below zero is an error.
  if (operation?.type === 'Slice' && !isPlainSlice(operation.offset.text, operation.length?.text)) doubt(strange);
  if (prefix === undefined && index === undefined && operation === undefined) {
    expandVariable(parameter, into, place, splits);
    return;
  }
  // Each element is a word of its own, in quotes too.
  const isMany = parameter === '@' || index?.text === '@' || prefix === '!' || /@["']?\}?$/.test(text);
  if (prefix === '#' && operation === undefined) into.number();
  else into.open(splits || isMany || holdsMany(operation));
}

function isPlainSlice(offset: string, length: string | undefined): boolean {
  return /^\s*-?\d+\s*$/.test(offset) && (length === undefined || /^\s*\d+\s*$/.test(length));
}

/** `"${x:-"$@"}"` */
function holdsMany(operation: ParameterExpansionPart['operation']): boolean {
  return wordsOf(operation).some(({ text }) => /[@]/.test(text));
}

function wordsOf(operation: ParameterExpansionPart['operation']): readonly Word[] {
  if (operation === undefined) return [];
  if (operation.type === 'Default' || operation.type === 'Remove') return [operation.operand];
  if (operation.type === 'Replace') return [operation.pattern, operation.replacement];
  if (operation.type === 'CaseModification') return operation.operand === undefined ? [] : [operation.operand];
  if (operation.type !== 'Slice') return [];
  return operation.length === undefined ? [operation.offset] : [operation.offset, operation.length];
}
