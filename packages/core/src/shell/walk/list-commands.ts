import { forEachChild, type Command, type CommandArgument, type SyntaxNode, type WordPart } from 'unbash';
import { unclear } from '../program-facts.js';
import { constantWord, openWord, type ShellWord } from '../words/shell-word.js';
import type { WalkRecord } from './walk-record.js';

const REASON = 'more commands than can be followed';
const MOST_WORDS = 32;

/**
 * The commands of parts that are not followed any more, by their bare words: so that rules that forbid them are met all
 * the same.
 */
export function listCommands(parts: readonly SyntaxNode[], record: WalkRecord): void {
  record.doubt(REASON);
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command' && node.name !== undefined) {
      const given = [node.name, ...node.args.slice(0, MOST_WORDS)];
      const text = given.map((word) => word.text).join(' ');
      if (!record.listed.has(text)) {
        record.listed.add(text);
        record.command({ text, words: given.map(bareWord), folders: undefined, facts: unclear(REASON) });
      }
    }
    forEachChild(node, visit);
  };
  for (const part of parts) visit(part);
}

function bareWord(word: CommandArgument): ShellWord {
  const isPlain = word.type === 'Word' && word.parts?.every(isText) !== false;
  return isPlain ? constantWord(word.value, word.text) : openWord(word.text, { splits: true });
}

/** Nothing is expanded in it. */
function isText(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every(({ type }) => type === 'Literal');
  return part.type === 'Literal' || part.type === 'SingleQuoted';
}

/** A command with more words than can be followed: its beginning, as it was written. */
export function beginOf(command: Command): Command {
  return { ...command, args: command.args.slice(0, MOST_WORDS) };
}

/** The same of words that it became. */
export function beginningOf(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.length <= MOST_WORDS ? words : [...words.slice(0, MOST_WORDS), openWord('…', { splits: true })];
}
