import { abortable, timeLimit } from '../../util/abort.js';
import { Failure } from '../../util/failure.js';
import type { McpHost, ServerQuestion } from '../mcp-types.js';
import type { Connection } from './connection.js';
import { isObject } from '../../util/is-object.js';

/** `URLElicitationRequiredError` of 2025-11-25: the call can be done once the person was at these pages. */
const PAGES_REQUIRED = -32_042;
/** For the person, at the page. */
const VISIT_MS = 300_000;
const MOST_PAGES = 5;

type Page = Extract<ServerQuestion, { readonly kind: 'url' }>;

export interface VisitParts {
  readonly alias: string;
  readonly ask: McpHost['ask'];
  readonly signal: AbortSignal;
}

/**
 * Whether the call may be made again, because the person was at the pages that it needs.
 * @throws Failure when the person did not want to, or the signal's reason.
 */
export async function visitRequiredPages(
  refusal: unknown,
  connection: Connection,
  { alias, ask, signal }: VisitParts,
): Promise<boolean> {
  const pages = requiredPages(refusal);
  if (pages.length === 0 || ask === undefined) return false;
  for (const page of pages) {
    // It may be done before the question is answered.
    const visit = connection.pageDone(page.id);
    try {
      const { action } = await ask(alias, page, signal);
      if (action !== 'accept')
        throw new Failure('mcp_error', 'it needs a page to be opened, which the person declined');
      const limit = timeLimit(VISIT_MS);
      await abortable(visit.promise, AbortSignal.any([signal, limit])).catch((reason: unknown) => {
        // A server need not tell that it is done; the call will show.
        if (!limit.aborted || signal.aborted) throw reason;
      });
    } finally {
      visit.stop();
    }
  }
  return true;
}

function requiredPages(error: unknown): readonly Page[] {
  if (!(error instanceof Error) || !('code' in error) || error.code !== PAGES_REQUIRED || !('data' in error)) return [];
  const listed = isObject(error.data) ? error.data['elicitations'] : undefined;
  const pages: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return pages.slice(0, MOST_PAGES).flatMap((page): Page[] => {
    if (!isObject(page) || typeof page['url'] !== 'string') return [];
    const { url, message, elicitationId } = page;
    const id = typeof elicitationId === 'string' ? elicitationId : '';
    return [{ kind: 'url', url, message: typeof message === 'string' ? message : '', id }];
  });
}
