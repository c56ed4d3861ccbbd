import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secrets } from '../secrets/secrets.js';
import { commandEffects } from '../shell/command-effects.js';
import { unhiddenSecrets } from './unhidden-secrets.js';

let folder: string;
let secrets: Secrets;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-unhidden-')));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, '.env'), 'API_KEY=f7Kp2xQz9LmV4tRwBn3Hs6\nPORT=3000\n');
  writeFileSync(join(folder, '.env.test'), 'PORT=3000\n');
  writeFileSync(join(folder, 'config.yml'), `db: postgres://app:f7Kp2xQz9LmV4tRw@localhost/app\n`);
  writeFileSync(join(folder, 'src', 'a.ts'), 'export const a = 1;\n');
  secrets = new Secrets({ environment: {}, roots: [folder], key: () => Buffer.alloc(32, 1) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function reasonsFor(script: string): readonly string[] {
  const effects = commandEffects(
    script,
    { directory: folder, zone: 'workspace' },
    {
      resolve: (path) => ({ path: resolve(path), zone: 'workspace' }),
      home: '/home/you',
      list: (path) => listOf(path),
    },
  );
  return unhiddenSecrets(script, effects, secrets).map((effect) => ('reason' in effect ? effect.reason : effect.kind));
}

function listOf(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

describe('a command asks before it may show secrets of a file in another form', () => {
  it.each([
    'rev .env',
    'cat .env | rev',
    'cat < .env | tr a b',
    'tr a-z b-za < .env',
    'gzip -c .env | base64',
    'base64 .env',
    'xxd .env',
    'od -c .env',
    'strings .env',
    'head -c 12 .env',
    'tail -qc5 .env',
    'cut -c3-9 .env',
    'cut -c 5 .env',
    'cut -da -f2 .env',
    'fold -w 4 .env',
    "sed 's/./& /g' .env",
    "sed -n 's/./& /gp' .env",
    'sed -n l .env',
    "awk -F7 '{print $2}' .env",
    "awk '{print substr($0, 3, 5)}' .env",
    "grep -o '...' .env",
    "grep -rno '...' .",
    'grep -rh KEY . | rev',
    'cmp -lb .env src/a.ts',
    'diff -yW 20 .env src/a.ts',
    'sort .env | paste -sd x',
    'x=$(cat .env); echo "${x:8:7}"',
    'x=$(<.env); echo ${x#*=f}',
    'x=$(cat .env); echo ${x//K/ }',
    'x=$(cat .env); echo ${x^^}',
    'x=$(cat .env); echo ${x@Q}',
    'while read -r -n 3 part; do echo $part; done < .env',
    'printf \'%.5s\' "$(cat .env)"',
    'printf \'%q\' "$(cat .env)"',
    'cat .env* | rev',
    'rev config.yml',
    'tar cf - . | base64',
    'find . -name .env -exec rev .env \\;',
    'cat .env | xargs -d a -n1 echo',
  ])('%s', (script) =>
    expect(reasonsFor(script)).toEqual([expect.stringMatching(/may print secrets of (?:\.env|config\.yml) /)]),
  );
});

describe('a command that prints lines as they are, or reads no secret, does not ask for that', () => {
  it.each([
    'cat .env',
    'cat -n .env | head -20',
    'head -n 5 .env; tail -n +3 .env',
    "sed -n '1,20p' .env",
    "sed -n '2p' .env",
    'grep -n KEY .env | sort -u',
    'grep -c = .env; wc -l .env',
    'cut -d= -f1 .env',
    'cut -c1-120 .env',
    "awk -F= '{print $1}' .env",
    "awk '{print $1, $2}' .env",
    'for f in .env*; do echo "== $f"; cat "$f"; done',
    'printf \'%s\\n\' "$(cat .env)"',
    'f=${1:-.env}; cat .env',
    'diff .env .env.test',
    'test -s .env && echo yes',
    'cp .env .env.bak',
    'grep -rn foo . | head -50',
    'rev .env.test',
    'rev src/a.ts',
    "ls -R . | sed 's/a/b/'",
    "find . -name '*.ts' | rev",
    'grep -rh foo src | rev',
    'du -sh . | cut -f1',
  ])('%s', (script) => expect(reasonsFor(script)).toEqual([]));
});
