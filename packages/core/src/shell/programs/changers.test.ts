import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsTable, factsText } from '../../testing/facts-text.js';
import { createTempWorkspace } from '../../testing/temp-workspace.js';
import { analyseCommand } from '../analyse-command.js';
import { exactText } from '../words/shell-word.js';
import { judgeProgram } from './judge-program.js';

const CHANGING = String.raw`
mkdir -p a/b c => W a/b W c
mkdir -m 700 a => W a
mkdir --context=x a => W a ?
touch -r a b => R a W b
touch -t 202401010000 a => W a
rmdir a => D a
rmdir -p a/b => D a/b ?
rm a => D a*
rm -rf a b => D a* D b*
rm -rf ./* => D ./**
rm -rf * => D ** ?
rm -rf ~/* => D /home/ann/**
rm -rf a $x b => D a* D $x* D b* ?
rm -rf $x/ => D $x/* ?
rm -rf "$x"/* => D "$x"/** ?
rm -rf --n / => D /* ?
touch * => W * ?
tee -a * b => W * W b ?
find * -delete => D ** ?
rm -rf "$x" => D "$x"* ?
rm -rf -- -a => D -a*
rm --no-preserve-root -rf a => D a* ?
truncate -s 0 a => W a
tee -a a b => W a W b
tee - => W -
tee "$x" => ?
cp a b => W b W b/a R a
cp x/a b c => W c W c/a W c/b R x/a R b
cp -t c a => W c W c/a R a
cp --target-directory=c a => W c W c/a R a
cp -r a b => W b* W b/a* R a* …
cp -a a/. b => W b* R a/.* …
cp src/*.ts dst => W dst* R src/*.ts …
cp a ../b => W ../b W ../b/a R a
cp -l a b => W b* ?
cp -s a b => W b* ?
cp -b a b => W b* ?
cp --parents a b => W b* ?
cp a $x => ?
cp *.ts src => W src* ?
cp a src/ => W src/a R a
cp a . => W ./a R a
cp a b ../ => W ../a W ../b R a R b
cp .. src/ => W src/ R ..
cp -r a src/ => W src/* W src/a* R a* …
cp a/*.ts src/ => W src/* R a/*.ts …
mv a src/ => W src/* W src/a* R a* D a*
mv * a => W a* D ** ?
mv a * => D a* D ** ?
mv -S x a b => W b* D x* D a* ?
mv a b => W b* W b/a* R a* D a*
mv -t c a => W c* W c/a* R a* D a*
mv -b a b => W b* D a* ?
ln -s a b => W b W b/a R .:a* W .:a* R b:a* W b:a*
ln -s /etc b => W b W b/etc R .:/etc* W .:/etc* R b:/etc* W b:/etc*
ln -s ../a c/b => W c/b W c/b/a R c/.:../a* W c/.:../a* R c/b:../a* W c/b:../a*
ln a b => W b W b/a R a* W a*
ln -rs a b => W b* ?
install -d a b => W a W b
install -m 755 a b => W b W b/a R a
install -s a b => W b* ?
install --strip-program=x a b => W b* ?
chmod +x a => W a
chmod -x a => W a
chmod -R u+w a => W a*
chmod 4755 a => W a* ?
chmod u+s a => W a* ?
chmod --reference=a b => W b* ?
chmod 755 * => W ** ?
chown a b => W b …
dd if=a of=b bs=1M => R a W b
dd if=/dev/zero of=/dev/sda => R /dev/zero W /dev/sda
dd of="$x" => ?
mktemp -d => W /tmp:tmp.XXXXXXXXXX …
mktemp x.XXXXXX => W .*
mktemp -d d/x-XXX => W d/*
mktemp -p d => W d:.*
mktemp -t x.XXXXXX => W /tmp:x.XXXXXX …
mktemp .npmXX => ?
mktemp mise.tomXXX => ?
mktemp HEADX => ?
mktemp --suffix=x a.XXX => ?
shred -u a => D a
shred --rem a => D a ?
chown -R me:x a => W a* …
chown --reference=a b => R a W b …
chgrp x a b => W a W b …
chown -LR me a => W a* ?
patch -p1 -i a => R a W .* …
patch a b => R b W a …
patch -d d -p1 => W d:.* …
patch -e -i a => ?
patch -o b a => W b W a …
rsync -a src/ out => R src/* W out*
rsync -an src/ out => R src/*
rsync -a --delete src/ out => R src/* W out* D out*
rsync src => R src*
rsync -aL src/ out => R src/* W out* …
rsync -a src host:out => ?
rsync -e x -a a b => ?
rsync --rsh=x -a a b => ?
rsync --rs=x a b => ?
rsync -a --remove-source-files a b => ?
rsync --files-from=a b c => ?
split a => R a W .*
split -l 10 a d/part_ => R a W d/*
split a .gitconfi => ?
split a mise.tom => ?
split --filter=x a => ?
split --fil x a => ?
csplit a 10 => R a W .*
csplit -f part- a 10 => R a W .*
csplit -f HEA a 1 => ?
csplit -b %s a 1 => ?
split --filter=x a => ?
`;

const ARCHIVES = String.raw`
tar tf a.tar => R a.tar
tar -tzf a.tgz b => R a.tgz
tar czf a.tgz src => R a.tgz W a.tgz R src*
tar -czf a.tgz -C src . => R a.tgz W a.tgz R src:.*
tar cf - src => R src*
tar xf a.tar => R a.tar W .* …
tar -xzf a.tgz -C d => R a.tgz W d:.* …
tar -hcf a.tar src => R a.tar W a.tar R src* …
tar cf a.tar @b => ?
tar cf a.tar * => ?
tar cf a.tar -T b => ?
tar cf a -C b x -C c y => ?
tar tf host:a => ?
tar tf user@host:a => ?
tar -I x -tf a => ?
tar --use-comp=x -tf a => ?
tar -F x -tf a => ?
tar xf a.tar --to-command=x => ?
tar --checkpoint=1 --checkpoint-action=exec=x -tf a => ?
tar --rsh-command=x -tf a => ?
tar t => ?
zip a.zip b => W a.zip R b*
zip a b => W a W a.zip R b*
zip -r a.zip src => W a.zip R src* …
zip -ry a.zip src => W a.zip R src*
zip -T a.zip -TT x => ?
zip -m a.zip b => ?
unzip -l a.zip => R a.zip
unzip -p a.zip b => R a.zip
unzip a.zip => R a.zip W .* …
unzip -o a.zip -d d => R a.zip W d* …
unzip -l 'a*.zip' => ?
gzip a => R a W a.gz D a
gzip -k a => R a W a.gz
gzip -c a => R a
gunzip a.gz => R a.gz W a W a.tar W a.gz.out D a.gz
gzip -r src => R src W src.gz D src …
gzip -S .x a => ?
bunzip2 a.tgz => R a.tgz W a W a.tar W a.tgz.out D a.tgz
xz -k a => R a W a.xz
xz -l -z a => ?
unxz -z a => ?
zstd -t -d a => ?
zstd a -o b => W b R a W a.zst
zstd -T /etc/passwd => R /etc/passwd W /etc/passwd.zst
zstd --filelist a => ?
zcat a.gz => R a.gz
`;

describe.each(Object.entries({ CHANGING, ARCHIVES }))('what changers do: %s', (_, table) => {
  it.each(factsTable(table))('%s => %s', (command, facts) => {
    expect(factsText(command)).toBe(facts);
  });
});

const NAMES = ['a', 'b', 'sub', 'sub/a', 'new', 'sub/new', '.', 'sub/', 'out', 'file', './-x', '../beside/b', '-'];
const PROGRAMS: readonly (readonly [name: string, options: readonly string[]])[] = [
  ['mkdir', ['-p', '-v', '-m700']],
  ['touch', ['-c', '-a', '-ra', '-t202401010000']],
  ['rmdir', ['-v']],
  ['rm', ['-r', '-f', '-d', '-v']],
  ['tee', ['-a', '-i']],
  ['cp', ['-f', '-n', '-T', '-tsub', '-p', '-P', '-d', '-u', '-x']],
  ['mv', ['-f', '-n', '-T', '-tsub', '-u']],
  ['ln', ['-s', '-f', '-n', '-T', '-tsub']],
  ['install', ['-d', '-m755', '-T', '-tsub', '-C']],
  ['chmod', ['-R', '755', 'u+x', '-v']],
  ['sort', ['-onew', '-u', '-o', '--output=sub/b']],
  ['uniq', ['-c', '-d']],
  ['xxd', ['-p', '-b']],
  ['sed', ['-i', '-i.o', '-n', '-e', 's/a/x/', 'p', '-s']],
  ['gzip', ['-k', '-f', '-c', '-d', '-t']],
  ['dd', ['if=a', 'of=new', 'of=sub/b', 'bs=2', 'count=1']],
  ['truncate', ['-s1', '-c', '-ra']],
  ['shred', ['-u', '-f', '-n1', '-z']],
  ['split', ['-l1', '-b2', '-d', '-n2']],
  ['csplit', ['-s', '-k', '-f', '-z', 'part-']],
  ['mktemp', ['-d', 'x-XXXX', '-psub', '-q', 'sub/x.XXXXXX']],
  ['rsync', ['-a', '-r', '-n', '--delete', '-u', '-l', '-p']],
  ['tar', ['-c', '-fnew.tar', '-f', '-Csub', '-t', '-r']],
];

/** Everything below a folder, links not followed. */
function snapshot(folder: string, into: Map<string, string> = new Map()): ReadonlyMap<string, string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mode, mtimeMs } = lstatSync(path);
    if (lstatSync(path).isDirectory()) snapshot(path, into.set(path, String(mode)));
    else if (lstatSync(path).isSymbolicLink()) into.set(path, readlinkSync(path));
    else into.set(path, `${mode} ${mtimeMs} ${readFileSync(path, 'latin1')}`);
  }
  return into;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(realPath(dirname(path)), basename(path));
  }
}

/** Changes that a complete statement about the command does not cover; undefined when there is none. */
function changedUnstated(root: string, [name, ...words]: readonly string[]): readonly string[] | undefined {
  const folder = join(root, 'work');
  const text = [name, ...words.map((word) => `'${word}'`)].join(' ');
  const judge = judgeProgram;
  const { commands, unknown } = analyseCommand(text, { directory: folder, judge: (call) => judge(call) });
  const facts = commands[0]?.facts;
  if (name === undefined || facts === undefined || unknown.length > 0 || !facts.isComplete) return undefined;
  const stated = facts.paths
    .filter(({ kind }) => kind !== 'read')
    .flatMap(({ word, from, tree }) => {
      const path = resolve(folder, from === undefined ? '.' : (exactText(from) ?? '/'), exactText(word) ?? '/');
      return [path, realPath(path)].map((each) => ({ path: each, isTree: tree === true }));
    });
  const before = snapshot(root);
  try {
    execFileSync(name, words, { cwd: folder, input: 'a\nb\n', stdio: ['pipe', 'ignore', 'ignore'], timeout: 10_000 });
  } catch {
    // That it fails is no matter: what it changed counts.
  }
  const after = snapshot(root);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  return changed.filter(
    (path) => !stated.some((each) => each.path === path || (each.isTree && path.startsWith(`${each.path}/`))),
  );
}

async function prepare(): Promise<string> {
  const root = realpathSync((await createTempWorkspace()).root);
  for (const each of ['work/sub/deep', 'beside']) mkdirSync(join(root, each), { recursive: true });
  for (const each of ['work/a', 'work/b', 'work/sub/b', 'work/-x', 'beside/b'])
    writeFileSync(join(root, each), `${each}\na\n`);
  symlinkSync('../beside', join(root, 'work/out'));
  symlinkSync('../beside/b', join(root, 'work/file'));
  symlinkSync('../../beside/b', join(root, 'work/sub/a'));
  return root;
}

const RUNS = Number(process.env['TENON_PROGRAM_RUNS'] ?? 60);

describe.skipIf(process.platform === 'win32')('real programs', () => {
  it('change nothing but what was said of them', { timeout: 600_000 }, async () => {
    const command = fc
      .constantFrom(...PROGRAMS)
      .chain(([name, options]) =>
        fc
          .tuple(
            fc.array(fc.constantFrom(...options), { maxLength: 3 }),
            fc.array(fc.constantFrom(...NAMES), { maxLength: 3 }),
          )
          .map(([given, operands]) => [name, ...given, ...operands]),
      );
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(command, async (words) => {
        const changed = changedUnstated(await prepare(), words);
        if (changed !== undefined) ran += 1;
        expect(changed ?? [], words.join(' ')).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect(ran).toBeGreaterThan(RUNS / 4);
  });
});
