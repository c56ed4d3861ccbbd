import { resolve } from 'node:path';
import { writtenLineFeed } from '../search/engines/named-line-ends.js';
import type { SearchPattern } from '../search/engines/search-pattern.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { createFileFilter } from '../search/globs/file-filter.js';
import { MAX_OFFSET } from '../search/report/page-of.js';
import type { Context } from '../search/report/render-matches.js';
import { errorMessage } from '../util/failure.js';
import { groupDigits } from '../util/group-digits.js';
import { outermostRoots } from '../util/paths-below.js';

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 2_000;
const MAX_CONTEXT = 50;
/** Twice as much, when all of it is escaped, still fits one argument of a program (128 KiB on Linux). */
const MAX_PATTERN_BYTES = 64_000;

export type GrepMode = 'content' | 'files' | 'count';

export interface GrepToolParams {
  pattern: string;
  path?: string;
  glob?: string | readonly string[];
  type?: string;
  output_mode?: GrepMode;
  limit?: number;
  offset?: number;
  context?: number;
  before?: number;
  after?: number;
  case_sensitive?: boolean;
  fixed_strings?: boolean;
  multiline?: boolean;
  include_ignored?: boolean;
}

const contextSchema = { type: 'integer', minimum: 0, maximum: MAX_CONTEXT };

/** Names that models know from other searches. */
export const GREP_ALIASES = {
  regex: 'pattern',
  query: 'pattern',
  include: 'glob',
  include_pattern: 'glob',
  head_limit: 'limit',
  max_results: 'limit',
  dir_path: 'path',
  directory: 'path',
  '-A': 'after',
  '-B': 'before',
  '-C': 'context',
};

/** JSON Schema of `GrepToolParams`. */
export const GREP_SCHEMA = {
  type: 'object',
  properties: {
    pattern: { type: 'string', minLength: 1, description: 'ripgrep regular expression, e.g. "function\\\\s+\\\\w+".' },
    path: {
      type: 'string',
      description: 'File or folder, absolute or relative to the workspace. Default: the workspace.',
    },
    glob: {
      type: ['string', 'array'],
      minLength: 1,
      items: { type: 'string', minLength: 1 },
      description: 'Only files matching this (or one of these), e.g. "src/**/*.{ts,tsx}"; "!*.test.ts" excludes.',
    },
    type: { type: 'string', description: 'Only this file type, as for rg --type: ts, py, rust, ...' },
    output_mode: { enum: ['content', 'files', 'count'], description: 'Default: content (matching lines).' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      description: `Most matches (or files) to show. Default: ${DEFAULT_LIMIT}.`,
    },
    offset: { type: 'integer', minimum: 0, maximum: MAX_OFFSET, description: 'Matches (or files) to skip.' },
    context: { ...contextSchema, description: 'Lines around each match. Default: some when there are few matches.' },
    before: { ...contextSchema, description: 'Lines before.' },
    after: { ...contextSchema, description: 'Lines after.' },
    case_sensitive: { type: 'boolean', description: 'Case counts.' },
    fixed_strings: { type: 'boolean', description: 'pattern is plain text.' },
    multiline: { type: 'boolean', description: 'Matches may span lines; . matches line breaks.' },
    include_ignored: { type: 'boolean', description: 'Also what .gitignore hides.' },
  },
  required: ['pattern'],
  additionalProperties: false,
};

/** Which files, as they were asked for. */
export interface GrepFilter {
  readonly globs: readonly string[];
  /** Perhaps none that there is: known types are loaded when something is searched. */
  readonly type: string | undefined;
  /** No path was named: globs are meant from every workspace root. */
  readonly fromRootsBelow: boolean;
}

/** What the parameters ask for, defaults filled in. */
export interface GrepRequest {
  readonly pattern: SearchPattern;
  /** Absolute. */
  readonly places: readonly string[];
  readonly filter: GrepFilter;
  readonly mode: GrepMode;
  readonly limit: number;
  readonly offset: number;
  /** Undefined when nothing was said about it. */
  readonly context: Context | undefined;
  readonly includeIgnored: boolean;
  /** What git ignores was asked for, and may not be read. */
  readonly keepsIgnored: boolean;
  /** The same for two requests exactly when the same is searched for in the same places. */
  readonly key: string;
}

export function toRequest(
  params: GrepToolParams,
  { roots, readsAll }: Pick<WorkspaceGate, 'roots' | 'readsAll'>,
): GrepRequest {
  const { context, before, after } = params;
  const pattern: SearchPattern = {
    pattern: params.pattern,
    caseSensitive: params.case_sensitive === true,
    fixedStrings: params.fixed_strings === true,
    multiline: params.multiline === true,
  };
  const places = placesOf(params, roots);
  const filter = filterOf(params);
  const asksForIgnored = params.include_ignored === true;
  const includeIgnored = asksForIgnored && readsAll;
  const saysContext = context !== undefined || before !== undefined || after !== undefined;
  return {
    pattern,
    places,
    filter,
    mode: params.output_mode ?? 'content',
    limit: params.limit ?? DEFAULT_LIMIT,
    offset: params.offset ?? 0,
    context: saysContext ? { before: before ?? context ?? 0, after: after ?? context ?? 0 } : undefined,
    includeIgnored,
    keepsIgnored: asksForIgnored && !readsAll,
    key: JSON.stringify([pattern, places, filter, includeIgnored]),
  };
}

function filterOf({ glob = [], type, path }: GrepToolParams): GrepFilter {
  const globs = typeof glob === 'string' ? [glob] : glob;
  return { globs, type: type === '' ? undefined : type, fromRootsBelow: path === undefined };
}

/** The one place that was named, or the workspace. */
export function placesOf({ path }: GrepToolParams, roots: readonly string[]): string[] {
  return path === undefined ? outermostRoots(roots) : [resolve(roots[0] ?? '', path)];
}

/** What is only written to go over line breaks. */
const SPANS_LINES = /(?<!\\)(?:\\\\)*(?:\[\\s\\S\]|\[\\S\\s\]|\[\\w\\W\]|\[\\d\\D\]|\(\?s\)|\\R)/;

/** True when the pattern was probably written for matches that span lines, and lines are searched one by one. */
export function needsMultiline({ pattern, fixedStrings, multiline }: SearchPattern): boolean {
  return !multiline && !fixedStrings && SPANS_LINES.test(pattern);
}

/** What is wrong with the parameters beyond the schema and the places; null when nothing is. */
export function problemOf(params: GrepToolParams): string | null {
  const bytes = Buffer.byteLength(params.pattern);
  if (bytes > MAX_PATTERN_BYTES)
    return `pattern has ${groupDigits(bytes)} bytes, and no more than ${groupDigits(MAX_PATTERN_BYTES)} can be searched for: search for a part of it.`;
  if (params.pattern.includes('\0')) return 'pattern must not contain a NUL character.';
  if (params.multiline !== true && /[\r\n]/.test(params.pattern))
    return 'pattern must not contain a line break: lines are searched one by one, unless multiline=true.';
  const isByLine = params.multiline !== true && params.fixed_strings !== true;
  const feed = isByLine ? writtenLineFeed(params.pattern) : undefined;
  if (feed !== undefined)
    return `pattern asks for a line break (${feed}): lines are searched one by one, unless multiline=true.`;
  try {
    createFileFilter({ globs: filterOf(params).globs }, '/', []);
    return null;
  } catch (thrown) {
    return `glob is not a valid pattern: ${errorMessage(thrown)}`;
  }
}
