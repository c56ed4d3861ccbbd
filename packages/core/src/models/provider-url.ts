import { ModelError } from './model-error.js';

/** Where a provider's endpoint lies below its base URL. */
export interface EndpointPath {
  /** The version segment that people leave out of base URLs as often as not: `v1`, `v1beta`. */
  readonly version: string;
  /** Without a leading slash: `chat/completions`. */
  readonly path: string;
}

const VERSION_SEGMENT = /^v\d/;

/**
 * The URL to send to. Takes base URLs as people write them: with or without a trailing slash, with
 * or without the version, or the whole endpoint. The version is added only where no segment looks
 * like one (`/api/paas/v4`, `/v1beta/openai`) and the path names no deployment (Azure). A query is kept.
 *
 * @throws ModelError `bad-request` for anything but an http(s) URL without user name and password.
 */
export function endpointUrl(baseUrl: string, { version, path }: EndpointPath): string {
  const url = parseBaseUrl(baseUrl);
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const tail = path.split('/');
  const isWhole = segments.slice(-tail.length).join('/') === path;
  if (!isWhole) {
    const hasVersion = segments.some((segment) => VERSION_SEGMENT.test(segment)) || segments.includes('deployments');
    if (!hasVersion) segments.push(version);
    segments.push(...tail);
  }
  url.pathname = `/${segments.join('/')}`;
  url.hash = '';
  return url.href;
}

/** The URL for messages: without query, which may hold a key. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

function parseBaseUrl(baseUrl: string): URL {
  let url: URL;
  try {
    url = new URL(baseUrl.trim());
  } catch (thrown) {
    throw badBaseUrl('is not a URL', thrown);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw badBaseUrl('is no http or https URL');
  if (url.username !== '' || url.password !== '')
    throw badBaseUrl('holds a user name or password: use headers instead');
  return url;
}

function badBaseUrl(problem: string, cause?: unknown): ModelError {
  const message = `The base URL of the model ${problem}. Give one such as http://127.0.0.1:11434/v1.`;
  return new ModelError(message, { kind: 'bad-request' }, { cause });
}
