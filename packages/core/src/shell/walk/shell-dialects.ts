/**
 * What bash reads differently from other shells, or what those do not have: a plain `sh` makes two words of `a &> b`, takes
 * braces as they are, and looks for programs that are called like builtins of bash.
 */
const BASH_ONLY =
  /\$['"[]|&>|\|&|[<>]\(|<<<|\[\[|\(\(|;;?&|\{[^}\s]*(?:,|\.\.)|\$\{[^}]*[/^,@!:]|\{\w+\}[<>]|[?*+@!]\(|~[+-]|(?<![\w-])(?:function|select|coproc|time|let|source|declare|typeset|mapfile|readarray|shopt|local|builtin|enable|pushd|popd|dirs|disown|compgen)(?![\w-])/;

/** Why a text that a program gets as a script may be read otherwise than as a text of its own. */
export function doubtsOfScript(
  text: string,
  { shell, isInput }: { readonly shell: string; readonly isInput: boolean },
): string[] {
  const doubts: string[] = [];
  const isBash = /(?:^|\/)bash$/.test(shell);
  if (!isBash && BASH_ONLY.test(text)) doubts.push(`a text that \`${shell}\` may read otherwise than bash`);
  // A shell reads its input line by line, and so do the commands in it: what one reads is not a command any more.
  if (isInput && /\n[^\n]/.test(text)) doubts.push('a script that its own commands may read');
  return doubts;
}
