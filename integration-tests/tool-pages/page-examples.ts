/** What a fenced block of a page is for; how they are told apart stands in `docs/reference/tools.md`. */
export type Example =
  /** A block `sh`, run by a shell. */
  | { readonly kind: 'command'; readonly script: string; readonly prints: string; readonly at: Span }
  /** A block `json` and what the model reads: calls of one session. */
  | { readonly kind: 'call'; readonly call: Call; readonly prints: string; readonly at: Span }
  /** A block `jsonc`: the settings of the person from here on. */
  | { readonly kind: 'settings'; readonly text: string };

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the person says when asked about the call, as `docs/guide/headless.md` describes it. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

/** Lines of the page between two fences, `end` past the last. */
interface Span {
  readonly first: number;
  readonly end: number;
}

interface Block {
  readonly language: string;
  readonly span: Span;
  readonly text: string;
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  const generatedUntil = lines.indexOf('<!-- /generated -->');
  let open: { readonly fence: string; readonly language: string; readonly first: number } | undefined;
  for (const [index, line] of lines.entries()) {
    if (index < generatedUntil) continue;
    if (open === undefined) {
      const [, fence, language = ''] = /^(`{3,})(\S*)$/.exec(line) ?? [];
      if (fence !== undefined) open = { fence, language, first: index + 1 };
    } else if (line === open.fence) {
      const { language, first } = open;
      blocks.push({ language, span: { first, end: index }, text: lines.slice(first, index).join('\n') });
      open = undefined;
    }
  }
  return blocks;
}

/** @throws Error for a block that nobody would check */
export function examplesOf(page: string): Example[] {
  const lines = page.split('\n');
  const blocks = blocksOf(lines);
  const examples: Example[] = [];
  for (let index = 0; index < blocks.length; index++) {
    const { language, text, span } = blocks[index] ?? { language: '', text: '', span: { first: 0, end: 0 } };
    const next = blocks[index + 1];
    const follows =
      next?.language === 'text' &&
      lines
        .slice(span.end + 1, next.span.first - 1)
        .join('')
        .trim() === '';
    const prints = follows ? next : undefined;
    if (prints !== undefined) index++;
    const call = language === 'json' ? (JSON.parse(text) as Call) : undefined;
    if (language === 'jsonc') examples.push({ kind: 'settings', text });
    else if (prints === undefined)
      throw new Error(`line ${span.first}: nothing says what this block (${language}) prints`);
    else if (call !== undefined) examples.push({ kind: 'call', call, prints: prints.text, at: prints.span });
    else if (language === 'sh') examples.push({ kind: 'command', script: text, prints: prints.text, at: prints.span });
    else throw new Error(`line ${span.first}: nobody knows how to run ${language}`);
  }
  return examples;
}

/** The page with other lines between the fences of `spans`. */
export function withPrinted(page: string, printed: ReadonlyMap<Span, string>): string {
  const lines = page.split('\n');
  const last = [...printed].toSorted(([a], [b]) => b.first - a.first);
  for (const [{ first, end }, text] of last) lines.splice(first, end - first, ...text.split('\n'));
  return lines.join('\n');
}
