// Result for result: what the tools say against what ripgrep says of the same files.
import { isUtf8 } from 'node:buffer';
import { lstatSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { call, takes } from './tools.mjs';

const PAGE = 1000;

/** Every file that grep counts matches in, page by page: Map of path relative to the root to matches. */
export async function grepCounts(grep, pattern, { root, hasPages }) {
  const counts = new Map();
  const mode = hasPages ? { output_mode: 'count', limit: PAGE } : { limit: 2000 };
  let offset = 0;
  for (;;) {
    const { data } = await grep({ pattern, ...mode, ...(offset > 0 && { offset }) });
    for (const { path, total } of data.files) counts.set(relative(root, path), total);
    // A page is as long as its text has room.
    const next = data.next ?? offset + PAGE;
    if (!hasPages || next >= data.fileCount)
      return { counts, total: data.total, fileCount: data.fileCount, stopped: data.stopped };
    offset = next;
  }
}

/**
 * @returns `{ wrong: [sentences], named: Map of reason to number of files }`: what differs without and with an accepted reason.
 * An older build without pages is held to its totals only.
 */
export function compareCounts(ours, theirs, { root, hasPages }) {
  const [wrong, named] = [[], new Map()];
  const reasonsOfAll = [];
  if (hasPages) {
    for (const path of new Set([...ours.counts.keys(), ...theirs.keys()])) {
      const [mine, other] = [ours.counts.get(path) ?? 0, theirs.get(path) ?? 0];
      if (mine === other) continue;
      const reason = acceptedReason(join(root, path));
      if (reason === undefined) wrong.push(`${path}: ${mine}, ripgrep ${other}`);
      else {
        named.set(reason, (named.get(reason) ?? 0) + 1);
        reasonsOfAll.push({ matches: mine - other, files: Math.sign(mine) - Math.sign(other) });
      }
    }
  }
  if (ours.stopped !== undefined) wrong.push(`stopped: ${ours.stopped}`);
  const sum = (key) => reasonsOfAll.reduce((all, one) => all + one[key], 0);
  const total = [...theirs.values()].reduce((all, one) => all + one, 0) + sum('matches');
  if (ours.total !== total) wrong.push(`total ${ours.total}, ripgrep ${total}`);
  if (ours.fileCount !== theirs.size + sum('files'))
    wrong.push(`files ${ours.fileCount}, ripgrep ${theirs.size + sum('files')}`);
  return { wrong, named };
}

/** Ripgrep reads UTF-8, and UTF-16 with its mark; text in other encodings it searches as bytes. */
function acceptedReason(path) {
  const bytes = readFileSync(path);
  const hasMark =
    bytes.length > 1 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff));
  return isUtf8(bytes) || hasMark ? undefined : 'no UTF-8 (ripgrep searches its bytes)';
}

/** All paths of a glob, page by page, relative to the root; undefined for a build that gives only the newest. */
async function globPaths(system, pattern, root) {
  if (!takes(system, 'glob', 'offset')) return undefined;
  const paths = [];
  for (let offset = 0; ;) {
    const { data } = await call(system, 'glob', { pattern, limit: PAGE, offset });
    for (const path of data.files) paths.push(relative(root, path));
    offset = data.next ?? offset + PAGE;
    if (offset >= data.total) return paths;
  }
}

/** `expected` are ripgrep's files. Links to files are listed by the tool, not by ripgrep: a difference with a name. */
export async function compareGlob(system, pattern, { root, expected }) {
  const { data } = await call(system, 'glob', { pattern });
  const paths = await globPaths(system, pattern, root);
  const [wrong, named] = [[], new Map()];
  if (paths === undefined) {
    if (data.total < expected.length) wrong.push(`total ${data.total}, ripgrep ${expected.length}`);
    return { wrong, named, total: data.total, more: ', only totals compared' };
  }
  const [mine, theirs] = [new Set(paths), new Set(expected)];
  if (mine.size !== data.total) wrong.push(`total ${data.total}, but ${mine.size} different paths`);
  for (const path of theirs) if (!mine.has(path)) wrong.push(`missing: ${path}`);
  for (const path of mine) {
    if (theirs.has(path)) continue;
    if (lstatSync(join(root, path)).isSymbolicLink())
      named.set('links to files', (named.get('links to files') ?? 0) + 1);
    else wrong.push(`not in ripgrep's list: ${path}`);
  }
  return { wrong, named, total: data.total };
}
