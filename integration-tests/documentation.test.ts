import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unknownCommandLines } from './documentation/command-lines.js';
import { brokenLinks, unreachable, type Tree } from './documentation/links.js';
import { unknownMessages } from './documentation/messages.js';
import { unknownSettings, unknownSlashCommands } from './documentation/names.js';
import { headingsOf, readPages, type Finding, type Page } from './documentation/pages.js';
import { COMMAND_LINE_TOPICS, SITE_TOPICS, type Topic } from './documentation/topics.js';
import { readSourceFiles } from './source-files.js';

const ROOT = new URL('..', import.meta.url);
const inTree = (path: string): string => fileURLToPath(new URL(path, ROOT));
const tree: Tree = {
  isThere: (path) => existsSync(inTree(path)),
  isFolder: (path) => existsSync(inTree(path)) && statSync(inTree(path)).isDirectory(),
};
const pages = readPages();
/** Commands that pages make up, as those of a person, a skill or a server; and folders and options that look like commands. */
const EXAMPLES: ReadonlySet<string> = new Set(
  '/review /git:fix /kit:nail /skill:name /server:prompt /name /run /proc /tmp /work /v1 /a /d'.split(' '),
);
const TROUBLES = 'docs/guide/troubleshooting.md';

const shown = (findings: readonly Finding[]): string[] =>
  findings.map(({ path, line, text }) => `${path}:${line} ${text}`);

/** Topics without a page, or whose page has no such heading; a heading may be named by a word of it. */
function uncovered(topics: readonly Topic[], among: readonly Page[]): string[] {
  return topics.flatMap(({ topic, page, heading }) => {
    const found = among.find(({ path }) => path === page);
    if (found === undefined) return [`${topic}: there is no ${page}`];
    const isThere = headingsOf(found).some((one) => one.toLowerCase().includes(heading.toLowerCase()));
    return isThere ? [] : [`${topic}: ${page} has no heading "${heading}"`];
  });
}

describe('the documentation', () => {
  it('links to what is there', () => {
    expect(shown(brokenLinks(pages, tree))).toEqual([]);
  });

  it('is reached from its first page', () => {
    expect(unreachable(pages, 'docs/README.md', tree)).toEqual([]);
  });

  it('names commands, actions and options that the program knows', () => {
    expect(shown(pages.flatMap(unknownCommandLines))).toEqual([]);
  });

  it('names settings that there are', () => {
    expect(shown(pages.flatMap(unknownSettings))).toEqual([]);
  });

  it('names commands of a session that there are', () => {
    expect(shown(pages.flatMap((page) => unknownSlashCommands(page, EXAMPLES)))).toEqual([]);
  });

  it('quotes messages that Tenon prints', () => {
    const page = pages.find(({ path }) => path === TROUBLES);
    const sources = ['packages/core/src', 'packages/cli/src'].flatMap((folder) =>
      readSourceFiles(folder, /(?<!\.test)\.ts$/),
    );
    expect(page?.text).toMatch(/^> /m);
    expect(page === undefined ? [] : shown(unknownMessages(page, sources))).toEqual([]);
  });

  it('covers what the guide of the command line has to cover (S139)', () => {
    expect(uncovered(COMMAND_LINE_TOPICS, pages)).toEqual([]);
  });

  it('covers what the rest of the site has to cover (S142)', () => {
    expect(uncovered(SITE_TOPICS, pages)).toEqual([]);
  });
});

describe('the checks of the documentation', () => {
  const page = (text: string, path = 'docs/guide/bad.md'): Page => ({ path, text });
  const texts = (findings: readonly Finding[]): string[] => findings.map(({ line, text }) => `${line}: ${text}`);
  const files: Tree = { isThere: (path) => path.startsWith('docs/'), isFolder: (path) => path === 'docs/more' };

  it('find links to files and headings that are not there', () => {
    const other = page('# One\n\n## One: `two`, three\n\n## Twice\n\n## Twice\n', 'docs/other.md');
    const bad = page(
      '[a](../other.md#one-two-three) [b](../other.md#twice-1)\n[c](../../no.md) [d](../other.md#two)\n[e](#here)\n```\n[f](no.md)\n```\n`[g](no.md)` [h](https://example.com)',
    );
    expect(texts(brokenLinks([bad, other], files))).toEqual([
      '2: ../../no.md leads nowhere',
      '2: docs/other.md has no heading for #two',
      '3: docs/guide/bad.md has no heading for #here',
    ]);
  });

  it('find pages that nothing leads to', () => {
    const all = [
      page('[a](b.md)', 'docs/README.md'),
      page('[c](more/)', 'docs/b.md'),
      page('', 'docs/more/c.md'),
      page('[back](README.md)', 'docs/alone.md'),
    ];
    expect(unreachable(all, 'docs/README.md', files)).toEqual(['docs/alone.md']);
  });

  it('find commands, actions and options that there are not', () => {
    const bad = page(
      [
        '`tenon frobnicate`, `tenon mcp jump x`, `--alow`, `--allow RULE`, `--script-shell`',
        '```sh',
        'git diff | tenon -p "do --this" --quitely | tee --append',
        'tenon undo --allow x; tenon mcp add x -- npx --yes y',
        'MODEL=x tenon --resume --fork   # --nothing',
        '```',
        '`tenon sessions --all` and `tenon "PROMPT" --cwd FOLDER`; the folder `.tenon`',
      ].join('\n'),
    );
    expect(texts(unknownCommandLines(bad)).sort()).toEqual([
      '1: --alow is no option',
      '1: tenon frobnicate is no command',
      '1: tenon mcp jump is nothing',
      '3: tenon has no option --quitely',
      '4: tenon undo has no option --allow',
      '7: tenon sessions has no option --all',
    ]);
  });

  it('find settings and commands of a session that there are not', () => {
    const bad = page(
      '`ui.them`, `ui.theme`, `ui.keys.submit`, `hooks.*`, `tools.ts`, `a.b`\n`/undoo`, `/undo --turn`, `/mine x`, `/etc/x`',
    );
    expect(texts(unknownSettings(bad))).toEqual(['1: ui.them is no setting']);
    expect(texts(unknownSlashCommands(bad, new Set(['/mine'])))).toEqual(['2: /undoo is no command of a session']);
  });

  it('find quoted messages that no source has', () => {
    const source = {
      path: 'a.ts',
      text: "// The file is gone for good: x\nfail(`The file ${name} isn\\'t there. Look for it.`);",
    };
    const bad = page("> The file … isn't there. Look for it.\n\n> The file is gone for good\n\n> … there.\n");
    expect(texts(unknownMessages(bad, [source]))).toEqual([
      '3: nothing says "The file is gone for good"',
      '5: "… there." says too little to be looked for',
    ]);
  });

  it('find topics without a page, and pages without the heading', () => {
    const topics: readonly Topic[] = [
      { topic: 'themes', page: 'docs/guide/bad.md', heading: 'Themes' },
      { topic: 'keys', page: 'docs/guide/bad.md', heading: 'Keys' },
      { topic: 'proxy', page: 'docs/none.md', heading: 'Proxy' },
    ];
    expect(uncovered(topics, [page('# All themes\n')])).toEqual([
      'keys: docs/guide/bad.md has no heading "Keys"',
      'proxy: there is no docs/none.md',
    ]);
  });
});
