// The index of the documentation for models, in the form of llmstxt.org: a title, a summary, sections with lists of links.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstSentence, titleOf } from './markdown.mjs';

const SUMMARY =
  'Tenon joins a language model to a machine: a tools system for AI coding agents, and the agent built on it. It is a command line (`tenon`) and a library (`@tenon/core`).';

/** Folders that are no pages. */
const LEFT_OUT = new Set(['example-project', 'pictures']);

/** `docs`: the folder. `made`: pages as they will be, by their paths in it. */
export function llmsIndex(docs, made) {
  const read = (path) => made.get(path) ?? readFileSync(join(docs, path), 'utf8');
  const paths = [
    ...new Set([...pagesBelow(docs, ''), ...[...made.keys()].filter((path) => path.endsWith('.md'))]),
  ].toSorted((a, b) => (a < b ? -1 : 1));
  const listed = linesOfReadme(read('README.md')).filter(({ path }) => existsSync(join(docs, path)));
  const known = new Set(['README.md', ...listed.map(({ path }) => path)]);
  const others = paths.filter((path) => !known.has(path)).map((path) => lineOfPage(path, read(path)));
  const within = (folder) => others.filter(({ path }) => path.startsWith(`${folder}/`));
  const sections = [
    ['Guides', [...listed, ...within('guide')]],
    ['Tools', within('tools')],
    ['Reference', within('reference')],
    ['More', others.filter(({ path }) => !/^(?:guide|tools|reference|decisions)\//.test(path))],
    // What a reader with little room may skip, by the words of that form.
    ['Optional', within('decisions')],
  ];
  const lists = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => `## ${name}\n\n${lines.map(({ text }) => text).join('\n')}`);
  const about = 'The links are relative to this file. [The start page](README.md) has the same for people.';
  return `# Tenon\n\n> ${SUMMARY}\n\n${about}\n\n${lists.join('\n\n')}\n`;
}

function pagesBelow(docs, folder) {
  return readdirSync(join(docs, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : pagesBelow(docs, path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** The guides as the start page tells of them: `- [Search](guide/search.md): what is searched`. */
function linesOfReadme(readme) {
  const items = readme.split(/\n(?=- |\n)/).map((item) => item.trim().replaceAll(/\s+/g, ' '));
  return items.flatMap((item) => {
    const [, title, path, about] = /^- \[([^\]]+)\]\((guide\/[^)#]+\.md)\): (.+)$/.exec(item) ?? [];
    return path === undefined ? [] : [{ path, text: line(title, path, about) }];
  });
}

function lineOfPage(path, page) {
  return { path, text: line(titleOf(page) ?? path, path, firstSentence(page) ?? '') };
}

function line(title, path, about) {
  const sentence = /[.!?…]$/.test(about) ? about : `${about}.`;
  return `- [${title}](${path}): ${sentence[0]?.toUpperCase() ?? ''}${sentence.slice(1)}`;
}
