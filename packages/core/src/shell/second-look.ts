import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';
import { mayEndEarlier } from './older-reading.js';
import { readPlainly } from './plain-reading.js';

const PLAIN_NODES: ReadonlySet<SyntaxNode['type']> = new Set<SyntaxNode['type']>([
  'Script',
  'Statement',
  'AndOr',
  'Pipeline',
  'Command',
  'Word',
  'Literal',
  'Glob',
  'SingleQuoted',
  'DoubleQuoted',
  'FileDescriptor',
  'Redirect',
]);

/** Constructs that grammars are known to read differently from a shell. Looked for in the bare text, wherever they stand. */
const STRANGE: readonly (readonly [expression: RegExp, reason: string])[] = [
  [/\$\[/, 'an old form of arithmetic'],
  [/\$\\\n/, 'a `$` and a line that goes on'],
  [/@[PQEAaKkUuL]\}/, 'a transformation of a variable'],
  [/\$\{[^}]*\$\(/, 'a command within an expansion'],
  [/\$\{[\s|]/, 'an expansion that runs a command'],
  // A backquote after a backslash opens nothing.
  [/(?<!\\)(?:\\\\)*`[^`]*\\[`$\\]/, 'backquotes within backquotes'],
];

/**
 * What a grammar misses. A text of plain words is read once more by a reader that shares no code with the grammar: both must
 * see the same words. In any other text, constructs are looked for by which grammars were fooled.
 */
export function doubtsOfSecondLook(text: string, script: ParsedScript): string[] {
  const doubts = STRANGE.filter(([expression]) => expression.test(text)).map(([, reason]) => reason);
  if (mayEndEarlier(text, script)) doubts.push('a here-document within `$(…)` that some shells read in another way');
  const first = plainCommands(script);
  const second = readPlainly(text);
  if (first === undefined || 'refused' in second) return doubts;
  const isSame = JSON.stringify(first) === JSON.stringify(second.commands);
  // Then nothing is expanded, and what looks strange stands in quotes.
  return isSame ? [] : [...doubts, 'a text that can be read in two ways'];
}

/** The words of a script's commands, as the grammar has them; undefined when it holds more than plain commands. */
function plainCommands(script: ParsedScript): (readonly string[])[] | undefined {
  const commands: (readonly string[])[] = [];
  let isPlain = true;
  const visit = (node: SyntaxNode): void => {
    if (!PLAIN_NODES.has(node.type)) isPlain = false;
    if (node.type === 'Command') {
      const words = node.name === undefined ? [] : [node.name, ...node.args];
      commands.push(words.map((word) => (word.type === 'Word' ? word.value : word.text)));
    }
    forEachChild(node, visit);
  };
  visit(script);
  return isPlain ? commands : undefined;
}
