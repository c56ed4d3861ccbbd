import {
  forEachChild,
  type Command,
  type CommandArgument,
  type ParsedScript,
  type Redirection,
  type SyntaxNode,
} from 'unbash';

/** One simple command: its text with white space folded, and its words after quoting was resolved. */
export interface SimpleCommand {
  readonly text: string;
  readonly argv: readonly string[];
}

export interface WalkResult {
  readonly commands: readonly SimpleCommand[];
  readonly unknown: ReadonlySet<string>;
  /** Words that output is redirected to, as far as they can be read: what is written there is not known. */
  readonly writesTo: ReadonlySet<string>;
}

type NodeType = SyntaxNode['type'];

/** What each kind of node adds; a kind that stands in neither list is not known and adds its own name. */
const REASONS: Partial<Record<NodeType, string>> = {
  If: 'an `if`',
  For: 'a loop',
  ArithmeticFor: 'a loop',
  While: 'a loop',
  Select: 'a `select`',
  Case: 'a `case`',
  Subshell: 'a subshell',
  BraceGroup: 'a group of commands',
  Function: 'a function',
  Coproc: 'a coprocess',
  TestCommand: 'a `[[ … ]]` test',
  ArithmeticCommand: 'arithmetic',
  ArithmeticExpansion: 'arithmetic',
  CommandExpansion: 'a command substitution',
  ProcessSubstitution: 'a process substitution',
  SimpleExpansion: 'a variable',
  ParameterExpansion: 'a variable',
  BraceExpansion: 'a brace expansion',
  ExtendedGlob: 'an extended pattern',
  AnsiCQuoted: "a `$'…'` string",
  LocaleString: 'a `$"…"` string',
  Assignment: 'an assignment',
  Time: '`time` can run other programs',
  Negation: 'a negation',
  HereDoc: 'a here-document',
  HereString: 'a here-string',
};

const PLAIN_NODES: ReadonlySet<NodeType> = new Set<NodeType>([
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
  // Judged where its whole text is known.
  'Redirect',
]);

const HARMLESS_REDIRECTIONS: ReadonlySet<string> = new Set([
  '2>&1',
  '>/dev/null',
  '1>/dev/null',
  '2>/dev/null',
  '</dev/null',
]);

const WRITING: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>', '<>', '>&']);

/** Every simple command of the script, however deep it stands, in source order, and all that is not plain. */
export function walkScript(script: ParsedScript): WalkResult {
  const commands: SimpleCommand[] = [];
  const unknown = new Set<string>();
  const writesTo = new Set<string>();
  const visit = (node: SyntaxNode): void => {
    if (!PLAIN_NODES.has(node.type)) unknown.add(REASONS[node.type] ?? `syntax that is not known (${node.type})`);
    if (node.type === 'Script' && 'errors' in node && (node.errors?.length ?? 0) > 0) unknown.add('a syntax error');
    if (node.type === 'Redirect' && !HARMLESS_REDIRECTIONS.has(textOfRedirection(node))) {
      unknown.add(`the redirection \`${textOfRedirection(node)}\``);
      if (WRITING.has(node.operator) && node.target !== undefined) writesTo.add(valueOfWord(node.target));
    }
    if (node.type === 'Pipeline' && node.operators.includes('|&')) unknown.add('the operator `|&`');
    if (node.type === 'Command') {
      const command = simpleCommand(node);
      if (command.argv.length > 0) commands.push(command);
      else unknown.add('a line without a program');
    }
    forEachChild(node, visit);
  };
  visit(script);
  return { commands, unknown, writesTo };
}

function simpleCommand(node: Command): SimpleCommand {
  const words: CommandArgument[] = node.name === undefined ? [] : [node.name, ...node.args];
  const pieces: (CommandArgument | Redirection)[] = [
    ...node.prefix,
    ...(node.name === undefined ? [] : [node.name]),
    ...node.suffix,
  ];
  return { text: pieces.map(textOfPiece).join(' '), argv: words.map(valueOfWord) };
}

function textOfPiece(piece: CommandArgument | Redirection): string {
  return piece.type === 'Word' || piece.type === 'Assignment' ? piece.text : textOfRedirection(piece);
}

function valueOfWord(word: CommandArgument): string {
  return word.type === 'Word' ? word.value : word.text;
}

function textOfRedirection(redirection: Redirection): string {
  const { descriptor } = redirection;
  const left =
    descriptor === undefined
      ? ''
      : descriptor.type === 'FileDescriptor'
        ? String(descriptor.value)
        : `{${descriptor.name}}`;
  const right = redirection.type === 'HereDoc' ? redirection.delimiter?.text : redirection.target?.text;
  return `${left}${redirection.operator}${right ?? ''}`;
}
