// Which files, folders and links the corpus has, and what of it is ignored.
import { createRandom, pick } from './random.mjs';

const FILES_PER_PACKAGE = 1100;
const AREAS = 'api auth billing catalog checkout common core editor export forms hooks import mail maps media orders pages profile reports search shop store sync teams ui upload users utils widgets workers'.split(' '); // prettier-ignore
const EXTENSIONS = 'ts ts ts ts ts ts ts ts ts ts ts ts tsx tsx js js json css py md'.split(' ');
const two = (number) => String(number).padStart(2, '0');

/**
 * A monorepo of `amount` files that no rule ignores, and some thousand that are: lists of files `{ path, kind, ignored }`
 * (kind: text, crlf, utf16le, utf16be, latin1, minified, binary, rules) and of links `{ path, target }`.
 */
export function layOut(amount, seed) {
  const random = createRandom(seed);
  const layout = { files: [], links: [], shown: 0 };
  addRoot(layout, amount);
  const packages = Math.max(1, Math.min(99, Math.round(amount / FILES_PER_PACKAGE)));
  for (let index = 1; index <= packages; index += 1) {
    const last = Math.floor(((amount - 40) * index) / packages) + 40;
    addPackage(layout, { index, random, until: last });
  }
  return layout;
}

function add(layout, path, kind = 'text', more = {}) {
  layout.files.push({ path, kind, ignored: false, ...more });
  if (more.ignored !== true) layout.shown += 1;
}

const addIgnored = (layout, path) => add(layout, path, 'text', { ignored: true });
const addRules = (layout, path, lines) => add(layout, path, 'rules', { lines });

function addRoot(layout, amount) {
  addRules(layout, '.gitignore', [
    'node_modules',
    'dist/',
    '*.log',
    '!keep.log',
    '/tmp',
    '**/__generated__/*.ts',
    '.cache/',
  ]);
  for (const path of [
    'README.md',
    'package.json',
    'keep.log',
    '.github/CODEOWNERS',
    '.github/workflows/ci.yml',
    'tools/bin/run',
  ])
    add(layout, path);
  for (let file = layout.shown; file < 40; file += 1) add(layout, `docs/guide-${two(file)}.md`);
  addIgnored(layout, 'debug.log');
  // `.git/info/exclude` names it: only a git work tree ignores it.
  add(layout, 'notes.local', 'text', { ignored: true, onlyInGit: true });
  for (let file = 0; file < amount / 25; file += 1)
    addIgnored(layout, `node_modules/lib-${file % 97}/lib/${file % 7}/m${file}.js`);
  layout.links.push({ path: 'outside', target: '/etc' }, { path: 'outside-file', target: '/etc/hostname' });
}

function addPackage(layout, { index, random, until }) {
  const root = `packages/p${two(index)}`;
  // In a third of the packages the built files are part of the source.
  const hasSourceInDist = index % 3 === 0;
  addRules(layout, `${root}/.gitignore`, [
    '*.tmp',
    hasSourceInDist ? '!dist/' : 'build/',
    '/coverage',
    '*.gen.ts',
    '!keep.gen.ts',
  ]);
  for (const name of [
    'package.json',
    'README.md',
    'tsconfig.json',
    '.eslintrc.json',
    '.github/workflows/test.yml',
    'src/index.ts',
  ])
    add(layout, `${root}/${name}`);
  add(layout, `${root}/public/bundle.min.js`, 'minified');
  for (let file = 0; file < 12; file += 1) add(layout, `${root}/assets/icons/i${file}.png`, 'binary');
  const built = hasSourceInDist || index % 3 === 1;
  for (let file = 0; file < 20; file += 1) {
    const path = `${root}/${hasSourceInDist ? 'dist' : 'build'}/chunk-${file}.js`;
    if (hasSourceInDist) add(layout, path);
    else if (built) addIgnored(layout, path);
  }
  for (const name of ['src/a.gen.ts', 'x.tmp', 'coverage/lcov.info', 'dist-info.log', '.cache/a/b.bin'])
    addIgnored(layout, `${root}/${name}`);
  add(layout, `${root}/src/keep.gen.ts`);
  for (let file = 0; file < 60; file += 1)
    add(layout, `${root}/docs/part-${file % 6}/page-${file}.${file % 10 === 0 ? 'txt' : 'md'}`, docKind(file));
  addSources(layout, { root, random, until });
  layout.links.push(
    { path: `${root}/src/main.ts`, target: 'index.ts' },
    { path: `${root}/docs/latest`, target: 'part-0' },
  );
  if (index % 10 === 0) layout.links.push({ path: `${root}/src/loop`, target: '..' });
}

const docKind = (file) => (file === 10 ? 'utf16le' : file === 20 ? 'utf16be' : file === 30 ? 'latin1' : 'text');

/** Sources and tests in folders of some nine files, up to five deep, until the corpus has `until` shown files. */
function addSources(layout, { root, random, until }) {
  const folders = ['src'];
  for (let folder = 0; folder < 85; folder += 1) {
    const above = folders[Math.floor(random() ** 1.5 * folders.length)];
    folders.push(
      above.split('/').length > 5 ? `src/${pick(random, AREAS)}-${folder}` : `${above}/${pick(random, AREAS)}${folder}`,
    );
  }
  for (let folder = 0; folder < 25; folder += 1) folders.push(`tests/${pick(random, AREAS)}${folder}`);
  for (const folder of [1, 2, 3]) {
    addRules(layout, `${root}/${folders[folder]}/.gitignore`, ['local-*', `!local-${folder}.ts`, 'scratch/']);
    addIgnored(layout, `${root}/${folders[folder]}/local-9.ts`);
    addIgnored(layout, `${root}/${folders[folder]}/scratch/try.ts`);
    add(layout, `${root}/${folders[folder]}/local-${folder}.ts`);
  }
  for (let file = 0; layout.shown < until; file += 1) {
    const folder = folders[file % folders.length];
    const extension = pick(random, EXTENSIONS);
    const test = folder.startsWith('tests') ? '.test' : '';
    add(
      layout,
      `${root}/${folder}/${pick(random, AREAS)}-${file}${test}.${extension}`,
      file % 12 === 0 ? 'crlf' : 'text',
    );
  }
}
