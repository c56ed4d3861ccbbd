import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';

/** More substitutions with here-documents than these are not read twice. */
const MOST_READ = 50;

/**
 * Whether a here-document within `$(…)` may be read otherwise by bash 3.2, the one of macOS, which looks for the bracket at the end
 * without knowing of here-documents: a bracket or a quote in the document can end the substitution, and what follows is a
 * command. False where it never finds an end, since then it runs nothing.
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

/** Where the bracket closes that was opened before `from`, by counting brackets and quotes; undefined when it does not. */
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
