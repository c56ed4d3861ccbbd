// Makes the corpora of the search benchmark: `node bench/search/make-corpus.mjs FOLDER [--files 100000] [--git] [--seed 1]`.
// A corpus that stands already is used again when the description beside it (`FOLDER.json`) says that it is the same.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { layOut } from './corpus-layout.mjs';
import { createTexts, Needles } from './corpus-text.mjs';

/** Raised with every change of what is made. */
const VERSION = 1;
const YEAR_SECONDS = 365 * 24 * 3600;

/** @returns its description: `{ folder, version, seed, files, git, shown, commonHits, legacy: [paths] }` */
export function makeCorpus({ folder, files = 100_000, seed = 1, git = false, log = () => undefined }) {
  const wanted = { version: VERSION, seed, files, git };
  const beside = `${folder}.json`;
  if (existsSync(beside)) {
    const found = JSON.parse(readFileSync(beside, 'utf8'));
    if (Object.entries(wanted).every(([key, value]) => found[key] === value)) return { folder, ...found };
  }
  log(`making ${folder}: ${files} files`);
  rmSync(beside, { force: true });
  rmSync(folder, { recursive: true, force: true });
  const layout = layOut(files, seed);
  const hits = write(folder, layout, { seed, amount: files });
  if (git) commit(folder);
  const described = {
    ...wanted,
    ...hits,
    shown: layout.shown,
    legacy: pathsOf(layout, 'latin1'),
    binary: pathsOf(layout, 'binary'),
  };
  writeFileSync(beside, JSON.stringify(described));
  return { folder, ...described };
}

const pathsOf = ({ files }, wanted) => files.filter(({ kind }) => kind === wanted).map(({ path }) => path);

function write(folder, { files, links }, { seed, amount }) {
  const texts = createTexts(seed + 1);
  const isText = ({ kind, ignored }) => !ignored && kind !== 'binary' && kind !== 'rules';
  const own = needleLines(files.filter(isText), amount);
  let made = '';
  for (const [index, file] of files.entries()) {
    const path = join(folder, file.path);
    if (dirname(path) !== made) mkdirSync((made = dirname(path)), { recursive: true });
    // Ignored files and binaries hold the needles too: whoever searches them counts too many.
    const lines =
      own.get(file.path) ?? (file.ignored || file.kind === 'binary' ? [`${Needles.common} ${Needles.rare}`] : []);
    writeFileSync(path, file.kind === 'rules' ? `${file.lines.join('\n')}\n` : texts.bytesOf(file, lines));
    // No two files are of the same time, and neighbours are not of neighbouring times.
    const time = 1_760_000_000 + ((index * 48_271) % YEAR_SECONDS);
    utimesSync(path, time, time);
  }
  for (const { path, target } of links) symlinkSync(target, join(folder, path));
  return {
    commonFiles: [...own.values()].filter((lines) => lines.join().includes(Needles.common)).length,
    commonHits: amount,
  };
}

/** The lines that are searched for, by path: exactly `amount` of the common ones, in every fourth text file. */
function needleLines(texts, amount) {
  const own = new Map();
  const put = (path, line) => own.set(path, [...(own.get(path) ?? []), line]);
  const chosen = texts.filter(({ kind }, index) => index % 4 === 0 && kind !== 'minified');
  for (const [index, { path }] of chosen.entries()) {
    const lines = Math.floor((amount * (index + 1)) / chosen.length) - Math.floor((amount * index) / chosen.length);
    for (let line = 0; line < lines; line += 1) put(path, `  ${Needles.common}(${line}, '${path.length}');`);
  }
  for (const [index, { path, kind }] of texts.entries())
    if (index % 500 === 0 || /^utf16|latin1/.test(kind)) put(path, `// ${Needles.foreign}`);
  put(texts[Math.floor(texts.length * 0.61)].path, `const ${Needles.rare} = 1;`);
  return own;
}

/** Everything that is not ignored, and one that is, in one commit, whatever the person's own settings are. */
function commit(folder) {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const quick = ['-c', 'core.autocrlf=false', '-c', 'core.compression=0', '-c', 'core.fsync=none', '-c', 'gc.auto=0'];
  const person = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.invalid'];
  const git = (...args) =>
    execFileSync('git', [...quick, ...person, ...args], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(folder, '.git/info/exclude'), '*.local\n');
  git('add', '-A');
  // Tracked and ignored: git lists it, ripgrep does not.
  git('add', '-f', 'debug.log');
  git('commit', '-q', '-m', 'Everything');
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { files: { type: 'string' }, seed: { type: 'string' }, git: { type: 'boolean', default: false } },
  });
  const [folder] = positionals;
  if (folder === undefined) throw new Error('Name the folder to make.');
  const options = {
    folder: resolve(folder),
    git: values.git,
    files: Number(values.files ?? 100_000),
    seed: Number(values.seed ?? 1),
  };
  const { legacy, binary, ...described } = makeCorpus({ ...options, log: console.log });
  console.log(described, `${legacy.length} legacy, ${binary.length} binary`);
}
