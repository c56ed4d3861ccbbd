// The search tools through the whole life of a call, against bare ripgrep (`rg -c`, `rg --files`) and bare `readdir` in the same
// run, result for result: `node bench/search.mjs [--runs 7] [--only WORDS] [--files 100000] [--corpus DIR] [--folder DIR] [--million]`.
//
// Corpora of 100,000 files are made once in DIR (`--corpus`; a folder for temporary files by default, 1.5 GB with what is made for
// git) and used again: a git work tree, the same without git, and a copy of the installed packages; 1,000 files in encodings other
// than UTF-8 besides. `--folder` searches another folder instead. `--only` takes the rows whose name holds the words; `--core FILE`
// measures another build.
//
// Rows: `first` is the first call of a new process on a project of which nothing is stored, `first of a session` the same when the session
// has prepared what it can beside the first prompt (see `begin-work.ts`) or, `after 3 s`, had no more time for that, `first, known project`
// the first call at once where an earlier process has learned everything and stored it, `repeated` a later call that knows the tree but
// nothing of the contents of files, `learned` one after all that the first search left to be learned, `in a terminal` the first search in the
// first session of the program itself (as it was built last, whatever `--core` says). Medians of interleaved runs, warm file cache. The bounds
// are meant for searches of a session that know the tree (`repeated`, `learned`); first calls are held against the same ones.
// Exits with 1 when a result is wrong; being slow is only said.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Needles } from './search/corpus-text.mjs';
import { grepMemoryRows, grepRows, javascriptRows } from './search/grep-rows.mjs';
import { globRows, listRows, millionRow } from './search/list-rows.mjs';
import { makeCorpus } from './search/make-corpus.mjs';
import { makeLegacyTree } from './search/legacy-tree.mjs';
import { makeRealTree } from './search/real-tree.mjs';
import { createReport } from './search/report.mjs';
import { terminalRows } from './search/terminal-rows.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '7' },
    only: { type: 'string' },
    files: { type: 'string', default: '100000' },
    corpus: { type: 'string', default: join(tmpdir(), 'tenon-search-corpus') },
    folder: { type: 'string' },
    million: { type: 'boolean', default: false },
    core: { type: 'string', default: fileURLToPath(new URL('../packages/core/dist/index.js', import.meta.url)) },
  },
});

const PATTERNS = [
  ['rare', Needles.rare],
  ['common', Needles.common],
  ['regex', Needles.regex],
  ['none', Needles.none],
];
/** What ripgrep finds as well, which takes other encodings for noise. */
const LEGACY_PATTERNS = [
  ['rare', 'compute_value\\(77,'],
  ['common', 'compute_value'],
  ['none', Needles.none],
];
/** For trees that nobody made for this. */
const OTHER_PATTERNS = [
  ['rare', 'isUint8ClampedArray'],
  ['common', 'function'],
  ['regex', Needles.regex],
  ['none', Needles.none],
];

function placesIn(folder) {
  const files = Number(values.files);
  const name = (kind) => join(folder, files === 100_000 ? `corpus-${kind}` : `corpus-${kind}-${files}`);
  const corpus = (kind, isGit) => {
    const { folder: root } = makeCorpus({ folder: name(kind), files, git: isGit, log: console.log });
    return { label: kind, root, isGit, patterns: PATTERNS, globFolder: 'packages/p01' };
  };
  const real = makeRealTree(join(folder, 'corpus-real'));
  return [
    corpus('git', true),
    corpus('plain', false),
    { label: 'real', root: real, isGit: false, patterns: OTHER_PATTERNS, globFolder: 'typescript' },
  ];
}

const other = (root) => ({
  label: 'folder',
  root,
  isGit: existsSync(join(root, '.git')),
  patterns: OTHER_PATTERNS,
  globFolder: 'src',
});

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-bench-')));
const context = { core: realpathSync(values.core), home: base };
const report = createReport({ only: values.only, runs: Number(values.runs) });
try {
  mkdirSync(values.corpus, { recursive: true });
  const corpora = realpathSync(values.corpus);
  const places = values.folder === undefined ? placesIn(corpora) : [other(realpathSync(values.folder))];
  for (const place of places) {
    report.title(`${place.label}: ${place.root}`);
    await grepRows(report, context, place);
    await grepMemoryRows(report, context, place);
    await terminalRows(report, context, place);
    await globRows(report, context, place);
  }
  report.title('others');
  await javascriptRows(report, context, places[0]);
  const legacy = { label: 'legacy', root: makeLegacyTree(join(corpora, 'corpus-legacy')), isGit: false };
  await grepRows(report, context, { ...legacy, patterns: LEGACY_PATTERNS });
  await listRows(report, context, corpora);
  if (values.million) await millionRow(report, context);
} finally {
  rmSync(base, { recursive: true, force: true });
}
process.exitCode = report.finish() === 0 ? 0 : 1;
