import { makeSafe, safeText, wrapSafe, type ApprovalRequest, type Safe } from '@tenon/core';
import { endMarkdown, growMarkdown, NO_MARKDOWN } from '../state/split-markdown.js';
import type { Theme } from '../themes/theme.js';
import type { Highlighter } from '../views/markdown/highlighter.js';
import { renderMarkdownBlock } from '../views/markdown/render-markdown.js';

/** Code in a plan is seldom, and it is read as well without colours. */
const PLAIN: Highlighter = { isSettled: () => true, paint: (code) => code, load: async () => undefined };

/** A plan as a person reads it: its Markdown drawn, what approving it means above. */
export function planLines(
  request: Pick<ApprovalRequest, 'details' | 'changedSinceApproval'>,
  plan: string,
  { columns, theme }: { readonly columns: number; readonly theme: Theme },
): readonly Safe[] {
  const head = wrapSafe(theme.paint('strong', makeSafe(request.details.title)), columns);
  // Signs beyond ASCII are left to terminals that are known to have them.
  const look = { columns, theme, isOpen: true, now: 0, unicode: false };
  const blocks = endMarkdown(growMarkdown(NO_MARKDOWN, plan)).finished;
  const lines = blocks.flatMap((block) => [
    ...(block.hasGap ? [safeText``] : []),
    ...renderMarkdownBlock(block, look, PLAIN),
  ]);
  return [...head, safeText``, ...lines];
}
