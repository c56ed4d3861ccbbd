import ts from 'typescript';

/** An id in the title of a test. */
export interface Citation {
  readonly id: string;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly title: string;
}

const TEST_FUNCTIONS: ReadonlySet<string> = new Set(['it', 'test']);
/** `it.todo` and `it.skip` prove nothing. */
const NOT_RUN: ReadonlySet<string> = new Set(['todo', 'skip', 'fails']);

/** The ids that test titles of a file cite in parentheses: `(S69)`, `(S69, S70)`, `(S60–S63)`. Comments do not count. */
export function citationsIn(path: string, text: string): Citation[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Citation[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      if (isSkippedGroup(node.expression)) return;
      const title = titleOf(node);
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (title !== undefined) found.push(...idsIn(title).map((id) => ({ id, path, line, title })));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function titleOf(call: ts.CallExpression): string | undefined {
  const [first] = call.arguments;
  if (first === undefined || !isTestFunction(call.expression)) return undefined;
  if (ts.isStringLiteralLike(first)) return first.text;
  if (!ts.isTemplateExpression(first)) return undefined;
  return first.head.text + first.templateSpans.map((span) => span.literal.text).join(' ');
}

/** `it`, `test`, `it.only`, `it.each(…)`, `it.runIf(…)`, but nothing that does not run. */
function isTestFunction(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return TEST_FUNCTIONS.has(callee.text);
  if (ts.isPropertyAccessExpression(callee)) return !NOT_RUN.has(callee.name.text) && isTestFunction(callee.expression);
  if (ts.isCallExpression(callee)) return isTestFunction(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isTestFunction(callee.tag);
}

/** `describe.skip` and `describe.todo`: nothing within runs. */
function isSkippedGroup(callee: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression)) return false;
  return /^(describe|suite)$/.test(callee.expression.text) && NOT_RUN.has(callee.name.text);
}

/** `(S60–S63, S70)` → S60, S61, S62, S63, S70. Other ids in the same parentheses (`K12`) are passed over. */
export function idsIn(title: string): string[] {
  return [...title.matchAll(/\(([^()]*\bS\d+[^()]*)\)/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/\bS(\d+)(?:\s*[–-]\s*S(\d+))?\b/g)].flatMap(([, from, to]) =>
      range(Number(from), Number(to ?? from)),
    ),
  );
}

function range(from: number, to: number): string[] {
  // A range that runs backwards cites both of its ends, so that a slip is not lost.
  if (to < from) return [`S${from}`, `S${to}`];
  return Array.from({ length: to - from + 1 }, (_, index) => `S${from + index}`);
}
