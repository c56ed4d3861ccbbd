import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';

/** The most substitutions with here-documents that are checked; more of them count as read differently. */
const MOST_READ = 50;

/**
 * Returns true if bash 3.2 (macOS) may end a `$(…)` with a here-document elsewhere. It looks for the closing bracket without knowing
 * here-documents. A bracket or a quote in the document can then end the substitution, and the rest becomes a command. False if it never
 * finds an end, because then it runs nothing.
 */
export function mayEndEarlier(text: string, script: ParsedScript): boolean {
  const spans: (readonly [from: number, to: number])[] = [];
  const visit = (node: SyntaxNode, within: readonly [number, number] | undefined): void => {
    if (node.type === 'HereDoc' && within !== undefined && spans.at(-1) !== within) spans.push(within);
    const isOuter = node.type === 'CommandExpansion' && text.startsWith('$(', node.pos);
    const span = within ?? (isOuter ? ([node.pos + 2, node.end - 1] as const) : undefined);
    forEachChild(node, (child) => visit(child, span));
  };
  visit(script, undefined);
  if (spans.length > MOST_READ) return true;
  return spans.some(([from, to]) =>
    [true, false].some((hasComments) => {
      const end = endOfGroup(text, from, hasComments);
      return end !== undefined && end !== to;
    }),
  );
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' };

/** Finds where the bracket that was opened before `from` closes, by counting brackets and quotes; undefined if it never does. */
function endOfGroup(text: string, from: number, hasComments: boolean): number | undefined {
  const open = [')'];
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    const top = open.at(-1) ?? '';
    const isGroup = top === ')' || top === '}' || top === ']';
    if (char === '\\' && top !== "'") at += 1;
    else if (char === top) {
      open.pop();
      if (open.length === 0) return at;
    } else if (top === "'" || top === '`') continue;
    else if (hasComments && isGroup && char === '#' && /\s/.test(text.charAt(at - 1))) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else if (char === '`' || (isGroup && (char === "'" || char === '"'))) open.push(char);
    else if (char === '$' && CLOSERS[text.charAt(at + 1)] !== undefined) {
      at += 1;
      open.push(CLOSERS[text.charAt(at)] ?? '');
    } else if (isGroup && top !== '}' && CLOSERS[char] === top) open.push(top);
  }
  return undefined;
}
