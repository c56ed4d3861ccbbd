import path from 'node:path';
import type { ContentBlock, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import {
  diffHunks,
  ToolNames,
  type CallEvent,
  type DiffHunk,
  type Kind,
  type Part,
  type ToolLocation,
  type ToolResultDisplay,
  fenced,
} from '@tenon/core';
import { safeBlock, safeLine } from '../../ui/safe-lines.js';
import type { ClientPaths } from './client-paths.js';
import { isObject } from '../../is-object.js';

type CallStart = Extract<CallEvent, { type: 'tool-call-start' }>;
type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

/** Of live output the last so many characters are sent, each time anew. */
const LIVE_CHARS = 8_000;
const MOST_CHARS = 100_000;
/** What a program may want to know of a result; more than this would slow every editor down. In characters of JSON. */
const RAW_CHARS = 64_000;

/** Pure. */
export function kindOf(toolName: string, kind: Kind): ToolKind {
  return toolName === ToolNames.EXIT_PLAN_MODE ? 'switch_mode' : kind;
}

/** Absolute, lines from 1. Relative paths start at `folder`. Pure. */
export function locationsOf(locations: readonly ToolLocation[], paths: ClientPaths): ToolCallLocation[] {
  return locations.map(({ path: file, line }) => ({ path: paths.toClient(file), ...(line !== undefined && { line }) }));
}

/** One line, with nothing hidden in it: an editor may show it where it asks for permission. */
export function titleOf({ displayName, title }: Pick<CallStart, 'displayName' | 'title'>): string {
  const shown = safeLine(title);
  return shown === '' ? safeLine(displayName) : shown;
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** What a terminal of the client shows stays, also when the terminal was released. */
export function terminalContent(terminalId: string): ToolCallContent[] {
  return [{ type: 'terminal', terminalId }];
}

/** What a call shows while it runs. Undefined for a display that is sent as something else. */
export function liveContent(kind: Kind, display: ToolResultDisplay): ToolCallContent[] | undefined {
  if (typeof display === 'string') {
    if (display === '') return [];
    const tail = display.length > LIVE_CHARS ? `…\n${display.slice(-LIVE_CHARS)}` : display;
    return [textContent(kind === 'execute' ? fenced(safeBlock(tail)) : tail)];
  }
  if ('status' in display) {
    const share = display.progress === undefined ? '' : ` (${Math.round(display.progress * 100)} %)`;
    return [textContent(`${display.status}${share}`)];
  }
  return undefined;
}

/** What a call shows when it is over. */
export function finalContent(kind: Kind, event: CallEnd, paths: ClientPaths): ToolCallContent[] {
  const { display, error, content } = event;
  const images = content.flatMap(imageOf);
  if (error !== undefined && typeof display !== 'object') return [textContent(cut(display || error.message))];
  if (typeof display === 'string') {
    if (display === '') return images;
    const shown = kind === 'execute' ? fenced(safeBlock(cut(display))) : cut(display);
    return [textContent(shown), ...images];
  }
  if ('fileDiff' in display) return diffContent(display, paths);
  if ('plan' in display) return [textContent(cut(`${display.plan.trimEnd()}\n\n${display.note}`.trimEnd())), ...images];
  return images;
}

/** What is known of one changed file, or of several in one diff. */
export interface ShownDiff {
  readonly fileDiff: string;
  readonly filePath?: string | undefined;
  readonly originalContent: string | null;
  readonly newContent: string;
  readonly isNewFile?: true;
}

/** Returns both texts if they are known; for a log, or a change of several files, only the changed parts. */
export function diffContent(diff: ShownDiff, paths: ClientPaths): ToolCallContent[] {
  const { fileDiff, filePath = '', originalContent, newContent, isNewFile } = diff;
  const hasTexts = originalContent !== null || newContent !== '' || fileDiff === '';
  if (hasTexts && filePath !== '') {
    const oldText = isNewFile === true ? null : originalContent;
    return [{ type: 'diff', path: paths.toClient(filePath), oldText, newText: newContent }];
  }
  const hunks = diffHunks(fileDiff);
  // The diff's file names are relative to a folder, which the path of the first file gives.
  const first = hunks[0] === undefined ? '' : nameOf(hunks[0]);
  if (first === '' || !filePath.endsWith(path.sep + path.normalize(first)))
    return fileDiff === '' ? [] : [textContent(fenced(cut(fileDiff), 'diff'))];
  const folder = filePath.slice(0, -first.length);
  return hunks.map((hunk) => ({
    type: 'diff',
    path: paths.toClient(path.join(folder, nameOf(hunk))),
    oldText: hunk.isWhole ? null : hunk.before,
    newText: hunk.after,
  }));
}

function nameOf({ oldName, newName }: DiffHunk): string {
  return newName ?? oldName ?? '';
}

/** Where an edit was made, so that an editor can show it. */
export function changedLocations(event: CallEnd, paths: ClientPaths): ToolCallLocation[] | undefined {
  const { data } = event;
  if (!isObject(data) || typeof data['path'] !== 'string' || !Array.isArray(data['changed'])) return undefined;
  const [first]: unknown[] = data['changed'];
  if (!isObject(first) || typeof first['first'] !== 'number') return undefined;
  return [{ path: paths.toClient(data['path']), line: first['first'] }];
}

/** The result as plain data, if it is not too large to be of use. */
export function rawOutputOf({ data }: CallEnd): unknown {
  if (data === undefined) return undefined;
  return JSON.stringify(data).length > RAW_CHARS ? undefined : data;
}

function imageOf(part: Part): ToolCallContent[] {
  if (!('inlineData' in part) || !part.inlineData.mimeType.startsWith('image/')) return [];
  const { data, mimeType } = part.inlineData;
  const content: ContentBlock = { type: 'image', data, mimeType };
  return [{ type: 'content', content }];
}

function cut(text: string): string {
  return text.length > MOST_CHARS
    ? `${text.slice(0, MOST_CHARS)}\n… [${text.length - MOST_CHARS} more characters]`
    : text;
}
