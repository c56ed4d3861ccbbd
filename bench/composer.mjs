// What a key costs in the composer: `node bench/composer.mjs [--files 100000] [--runs 5]`. The sources are bundled as they are; no
// build is needed but that of the engine.
//
// Rows: completion over a list of made-up paths, key by key, against a bare `filter(includes)` over the same list in the same
// run; the longest time for which it held up the event loop; a paste of one megabyte; and keys typed into a megabyte of text, with
// the frame that each of them asks for, against keys typed into an empty composer. Exits with 1 when a reach is missed.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const { values } = parseArgs({
  options: { files: { type: 'string', default: '100000' }, runs: { type: 'string', default: '5' } },
});
const FILES = Number(values.files);
const RUNS = Number(values.runs);
const SIZE = { columns: 100, rows: 40 };
const QUERIES = ['composer-view', 'sessidx', 'core/src/po', 'Walk12', 'e', 'zzzq', 'test.ts'];
const WORDS =
  'core cli src doors interactive composer policy session agent search tree index walk folder stamp read write model settings schema test util view panel screen theme command journal sandbox network worker'.split(
    ' ',
  );

const composerFolder = fileURLToPath(new URL('../packages/cli/src/doors/interactive/composer/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'));
let missed = 0;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const worst = (numbers) => Math.max(...numbers);
/** Other programs take the processor now and then: the slowest of the same keys, each by its median over the runs. */
const slowest = (runs) => worst(runs[0].map((_, key) => median(runs.map((times) => times[key]))));

function tell(name, words, isMet) {
  if (isMet === false) missed += 1;
  console.log(`${name.padEnd(34)} ${words}${isMet === undefined ? '' : isMet ? ' met' : ' MISSED'}`);
}

async function load() {
  const entry = [
    'composer.ts',
    'key-bindings.ts',
    'history/prompt-history.ts',
    'complete/path-list.ts',
    'complete/path-matcher.ts',
  ];
  await build({
    stdin: {
      contents: entry.map((file) => `export * from './${file.replace(/ts$/, 'js')}';`).join('\n'),
      resolveDir: composerFolder,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outfile: join(folder, 'composer.mjs'),
    logLevel: 'error',
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
    },
    // The engine as it is built, by its place: the bundle lies elsewhere.
    plugins: [
      {
        name: 'engine',
        setup: (bundling) =>
          bundling.onResolve({ filter: /^@tenon\/core$/ }, () => ({
            path: pathToFileURL(createRequire(join(composerFolder, 'composer.ts')).resolve('@tenon/core')).href,
            external: true,
          })),
      },
    ],
  });
  return import(pathToFileURL(join(folder, 'composer.mjs')).href);
}

/** The same paths in every run. */
function madePaths() {
  let seed = 7;
  const next = (below) => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff) % below;
  const word = () => WORDS[next(WORDS.length)];
  return Array.from({ length: FILES }, (_, index) => {
    const folders = Array.from({ length: 2 + next(5) }, () => word() + (next(3) === 0 ? next(40) : ''));
    return `${folders.join('/')}/${word()}-${word()}${index}${['.ts', '.test.ts', '.md', '.json'][next(4)]}`;
  });
}

async function benchCompletion({ createPathList, PathMatcher }) {
  const paths = madePaths();
  const { signal } = new AbortController();
  const startedAt = performance.now();
  const list = await createPathList(paths, signal);
  tell('preparing the list', `${(performance.now() - startedAt).toFixed(0)} ms, in the background`);
  const [bare, first, own] = [[], [], []];
  const holds = [];
  for (let run = 0; run < RUNS; run += 1) {
    const times = [];
    const longest = [];
    own.push(times);
    holds.push(longest);
    for (const query of QUERIES) {
      const matcher = new PathMatcher(list);
      for (let length = 1; length <= query.length; length += 1) {
        const typed = query.slice(0, length);
        let before = performance.now();
        let isDone = false;
        let hold = 0;
        const note = () => {
          const now = performance.now();
          hold = Math.max(hold, now - before);
          before = now;
        };
        const watch = () => {
          if (isDone) return;
          note();
          setImmediate(watch);
        };
        const begun = performance.now();
        setImmediate(watch);
        await matcher.find(typed, 50, signal);
        isDone = true;
        note();
        longest.push(hold);
        const took = performance.now() - begun;
        times.push(took);
        if (length === 1) first.push(took);
        const bareAt = performance.now();
        paths.filter((path) => path.includes(typed));
        bare.push(performance.now() - bareAt);
      }
    }
  }
  const all = own.flat();
  const keys = `median ${median(all).toFixed(1)}, first key ${median(first).toFixed(1)}, slowest ${slowest(own).toFixed(1)} ms (reach: 50)`;
  tell(
    `a key, ${FILES} files`,
    `${keys}, ${(median(all) / median(bare)).toFixed(2)} x a bare filter`,
    slowest(own) <= 50,
  );
  tell('  event loop held up', `${slowest(holds).toFixed(1)} ms at most (reach: 50)`, slowest(holds) <= 50);
}

function newComposer({ Composer, bindKeys, PromptHistory }) {
  const theme = { name: 'no-colour', paint: (_, text) => text };
  const sent = [];
  const composer = new Composer({
    bindings: bindKeys(),
    theme: () => theme,
    unicode: true,
    history: new PromptHistory(),
    redraw: () => undefined,
    onSubmit: ({ text }) => sent.push(text),
    onAction: () => undefined,
  });
  const press = (name, text = '') => {
    const begun = performance.now();
    composer.onKey({ name, text, raw: text });
    composer.render(SIZE);
    return performance.now() - begun;
  };
  return { composer, sent, press };
}

const typeSome = (press) =>
  Array.from({ length: 100 }, (_, index) => press(index % 6 === 5 ? ' ' : 'x', index % 6 === 5 ? ' ' : 'x'));

function benchTyping(parts) {
  const base = Array.from({ length: RUNS }, () => typeSome(newComposer(parts).press)).flat();
  tell('a key, nothing typed yet', `median ${median(base).toFixed(3)} ms`);
  const texts = {
    'lines of words': 'Some words of a line that is about eighty characters long, as many lines are.\n'.repeat(13_000),
    'one line of words': 'Some words of a line that never ends, '.repeat(28_000),
    'one line without blanks': 'x'.repeat(1_000_000),
    'one line of Chinese': '漢字仮名'.repeat(85_000),
    'emoji and accents': '👩‍💻 e\u0301 and \u0e20\u0e32\u0e29\u0e32 words\n'.repeat(25_000),
  };
  for (const [name, text] of Object.entries(texts)) {
    const pasted = [];
    const keys = { start: [], middle: [], end: [] };
    for (let run = 0; run < RUNS; run += 1) {
      const { composer, sent, press } = newComposer(parts);
      pasted.push(press('paste', text));
      press('alt+o');
      keys.start.push(typeSome(press));
      press('ctrl+end');
      keys.end.push(typeSome(press));
      for (let step = 0; step < 200; step += 1) press('ctrl+left');
      keys.middle.push(typeSome(press));
      press('enter');
      if (sent[0]?.length !== text.length + 300) throw new Error(`${name}: what was sent is not what was typed`);
      if (!composer.isEmpty) throw new Error(`${name}: something is left`);
    }
    tell(`1 MB pasted, ${name}`, `median ${median(pasted).toFixed(1)} ms (reach: 100)`, median(pasted) <= 100);
    for (const [place, times] of Object.entries(keys)) {
      const all = median(times.flat());
      const words = `median ${all.toFixed(3)}, slowest ${slowest(times).toFixed(2)} ms (reach: 5), ${(all / median(base)).toFixed(1)} x an empty one`;
      tell(`  a key at its ${place}`, words, slowest(times) <= 5);
    }
  }
}

try {
  const parts = await load();
  await benchCompletion(parts);
  benchTyping(parts);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
