import { cleanText, cutBytes } from '../../util/clean-text.js';
import { count } from '../../util/count.js';
import { Failure } from '../../util/failure.js';
import { textAt } from './answer-fields.js';
import type { ProviderAccess, Refused, SearchTrouble, TroubleKind } from './search-types.js';

/** The codes of searches that failed, so that a program can tell a wrong key from a plan that is used up. */
const CODES: Readonly<Record<TroubleKind, string>> = {
  key: 'search_key_refused',
  quota: 'search_quota_used_up',
  rate: 'search_rate_limited',
  request: 'search_refused',
  setup: 'search_not_set_up',
  down: 'search_unavailable',
};

const MOST_SAID_BYTES = 300;

/** What a status says by itself. */
export function troubleOfStatus(status: number): SearchTrouble {
  if (status === 401 || status === 403) return { kind: 'key' };
  if (status === 402) return { kind: 'quota' };
  if (status === 429) return { kind: 'rate' };
  return { kind: status >= 500 || status === 408 ? 'down' : 'request' };
}

/** The failure for an answer that is none. What the provider says of it is told without secrets. */
export function troubleFailure(
  trouble: SearchTrouble,
  access: ProviderAccess,
  { status, body, waitMs }: Refused & { readonly waitMs?: number | undefined },
): Failure {
  const said = withoutSecrets(saidIn(body), access);
  const answered = status < 300 ? '' : ` (status ${status})`;
  const words = [
    `${whatHappened(trouble.kind, access)}${answered}${said === '' ? '.' : `: ${/[.!?…]$/.test(said) ? said : `${said}.`}`}`,
    trouble.advice ?? whatNext(trouble.kind, access, waitMs),
  ];
  return new Failure(CODES[trouble.kind], words.filter((each) => each !== '').join(' '));
}

function whatHappened(kind: TroubleKind, { label, keyVariable }: ProviderAccess): string {
  switch (kind) {
    case 'key':
      return keyVariable === undefined
        ? `${label} wants somebody it knows`
        : `${label} refuses the key in ${keyVariable}`;
    case 'quota':
      return `The plan at ${label} is used up`;
    case 'rate':
      return `${label} was asked too often`;
    case 'request':
      return `${label} refuses this search`;
    case 'setup':
      return `${label} does not answer searches as it is set up`;
    case 'down':
      return `${label} does not work at the moment`;
    default:
      return kind satisfies never;
  }
}

function whatNext(kind: TroubleKind, { keyVariable }: ProviderAccess, waitMs: number | undefined): string {
  switch (kind) {
    case 'key':
      return keyVariable === undefined ? '' : 'Asking again does not help: the person has to give another key.';
    case 'quota':
      return 'Asking again does not help: use another provider, or go on without searching.';
    case 'rate':
      return waitMs === undefined
        ? 'Wait before the next search, and search one at a time.'
        : `It wants no search for ${count(Math.ceil(waitMs / 1000), 'second')}.`;
    case 'request':
      return 'Change the query.';
    case 'setup':
      return '';
    case 'down':
      return 'Try again later.';
    default:
      return kind satisfies never;
  }
}

/** The provider's own words, wherever it puts them, on one line. */
function saidIn(body: unknown): string {
  const said =
    textAt(body, 'error', 'message') ??
    textAt(body, 'error', 'detail') ??
    textAt(body, 'detail', 'error') ??
    textAt(body, 'error') ??
    textAt(body, 'detail') ??
    textAt(body, 'message') ??
    '';
  const line = cleanText(said.slice(0, 8 * MOST_SAID_BYTES), { strict: true })
    .text.replaceAll(/\s+/g, ' ')
    .trim();
  return line;
}

/** Cut only afterwards: half a key is no longer found. */
export function withoutSecrets(text: string, { apiKey, authorization }: ProviderAccess): string {
  const secrets = [apiKey, authorization, authorization?.replace(/^\S+\s+/, '')].filter((each) => each !== undefined);
  const shown = secrets.reduce(
    (rest, secret) => rest.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***'),
    text,
  );
  return cutBytes(shown, MOST_SAID_BYTES);
}
