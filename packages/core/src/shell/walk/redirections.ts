import type { HereDoc, Redirection } from 'unbash';
import type { ProgramInput } from '../program-facts.js';
import { expandValue, expandWord } from '../words/expand-word.js';
import type { ShellState } from '../words/shell-state.js';
import { constantWord, exactText, type ShellWord } from '../words/shell-word.js';
import type { Position } from './position.js';
import type { Walk } from './walk-types.js';

export interface RedirectionPlace {
  readonly walk: Walk;
  readonly at: Position;
}

const INPUT = 0;
/** More than these are nothing that anybody writes. */
const MOST_GUESSES = 32;
const NETWORK = /^\/dev\/(?:tcp|udp)\//;

/** Writes down what redirections open. What the command reads then; undefined: what it would read without them. */
export function runRedirections(
  redirections: readonly Redirection[],
  state: ShellState,
  place: RedirectionPlace,
): ProgramInput | undefined {
  let input: ProgramInput | undefined;
  for (const each of redirections) {
    const descriptor = each.descriptor?.type === 'FileDescriptor' ? each.descriptor.value : undefined;
    // `{name}` puts a number into a variable; the number is one that nobody uses.
    if (each.descriptor?.type === 'FileDescriptorVariable')
      place.walk.record.doubt(`the redirection \`{${each.descriptor.name}}\``);
    const isInput = each.descriptor === undefined || descriptor === INPUT;
    if (each.type === 'HereDoc' || each.type === 'HereString') {
      const text = textOf(each, state, place);
      if (isInput) input = text;
    } else {
      openFile(each, state, place);
      const reads = each.operator === '<' || each.operator === '<>' || each.operator === '<&';
      // `0>&3` as well.
      if (descriptor === INPUT || (reads && isInput)) input = 'open';
    }
  }
  return input;
}

function openFile(
  { operator, target, descriptor: to }: Extract<Redirection, { type: 'Redirect' }>,
  state: ShellState,
  { walk, at }: RedirectionPlace,
): void {
  if (target === undefined) {
    walk.record.doubt('a redirection without a target');
    return;
  }
  const words = expandWord(target, walk.place(state, at));
  const [word] = words;
  const text = word === undefined ? undefined : exactText(word);
  if (operator === '<&' || operator === '>&') {
    // A copy of a descriptor that is open already; `>&word` writes a file.
    if (text !== undefined && /^(?:\d+-?|-)$/.test(text)) {
      // Its name would open the file of the input again, to be written.
      const isOutput = to === undefined ? operator === '>&' : to.type !== 'FileDescriptor' || to.value !== INPUT;
      if (isOutput && /^0+-?$/.test(text)) walk.record.doubt(`the redirection \`${operator}${text}\``);
      return;
    }
    if (operator === '<&') {
      walk.record.doubt(`the redirection \`${operator}${target.text}\``);
      return;
    }
  }
  if (words.length !== 1 || word === undefined || text === undefined) {
    walk.record.doubt(`the redirection \`${operator}${target.text}\``);
    for (const each of operator === '<' ? [] : guessesOf(words, target.text))
      walk.record.file({ path: { kind: 'write', word: each }, folders: state.folders ?? ['/'] });
    return;
  }
  if (NETWORK.test(text)) {
    walk.record.doubt(`the connection \`${operator}${text}\``);
    return;
  }
  const descriptor = to?.type === 'FileDescriptor' ? to.value : undefined;
  const use = (kind: 'read' | 'write'): void =>
    walk.record.file({ path: { kind, word }, folders: state.folders, descriptor });
  if (operator === '<' || operator === '<>') use('read');
  if (operator !== '<') use('write');
}

/**
 * What a target that is not certain may be, beside the doubt: what is certain of it may name a file of which nobody may
 * write unasked (`"$x/.git/config"`).
 */
function guessesOf(words: readonly ShellWord[], source: string): readonly ShellWord[] {
  const asWritten = source.replaceAll(/["'\\]/g, '');
  const isPath = /^\.|\//.test(asWritten);
  const all = words.flatMap((word) => {
    if (word.text !== undefined) return [word];
    return isPath ? [constantWord(asWritten, source)] : [];
  });
  return all.length <= MOST_GUESSES ? all : [];
}

/** Returns the input that a here-document or a here-string hands over. */
export function textOf(
  each: HereDoc | Extract<Redirection, { type: 'HereString' }>,
  state: ShellState,
  { walk, at }: RedirectionPlace,
): ProgramInput {
  const place = walk.place(state, at);
  if (each.type === 'HereString') {
    const text = each.target === undefined ? undefined : exactText(expandValue(each.target, place));
    return text === undefined ? 'open' : { text: `${text}\n` };
  }
  const { pos, end, text, parts } = each.body;
  const isQuoted = each.delimiter?.quoted === true;
  const value =
    isQuoted || parts === undefined
      ? text
      : exactText(expandValue({ type: 'Word', text, value: text, pos, end, parts }, place));
  // What backslashes and tabs at the beginning of lines become is left open.
  if (value === undefined || (!isQuoted && text.includes('\\'))) return 'open';
  if (each.operator === '<<-' && /^\t/m.test(text)) return isQuoted ? { text: text.replaceAll(/^\t+/gm, '') } : 'open';
  return { text: value };
}
