import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { childEnvironment } from '../process/child-environment.js';
import { FILES, FOLDERS, shellScript, STUBS } from '../testing/shell-scripts.js';
import { analyseCommand, type CommandAnalysis } from './analyse-command.js';
import { does, unclear, type ProgramCall, type ProgramFacts } from './program-facts.js';
import type { FileUse } from './walk/walk-record.js';
import { matchNames } from './words/match-names.js';
import { exactText, type ShellWord } from './words/shell-word.js';

const RUNS = Number(process.env['TENON_ORACLE_RUNS'] ?? '200');
const BATCH = 50;

const top = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-oracle-')));
afterAll(() => {
  rmSync(top, { recursive: true, force: true });
});

const programs = join(top, 'programs');
mkdirSync(programs);
for (const stub of STUBS)
  writeFileSync(
    join(programs, stub),
    `#!/bin/sh\nd=$(pwd -P)\nprintf '%s\\0' ${stub} "$@" >>"$LOG.$$"\nprintf '%s\\0\\0\\n\\0' "$d" >>"$LOG.$$"\nexit ${stub === 'c' ? 1 : 0}\n`,
    { mode: 0o755 },
  );
symlinkSync('/bin/bash', join(programs, 'bash'));
symlinkSync('/bin/cat', join(programs, 'cat'));

/** Judges the few programs that exist here: the stubs, bash, and `cat` of its input; `f` and `g` are functions, or not found. */
function judge({ name, words, input }: ProgramCall): ProgramFacts {
  if (/^[abcfg]$/.test(name)) return does();
  if (name === 'cat' && words.length === 0) return does();
  const [first, text] = words.map(exactText);
  if (name === 'bash' && first === '-c' && text !== undefined) return does({ starts: [{ script: text }] });
  if (name === 'bash' && words.length === 0 && typeof input === 'object')
    return does({ starts: [{ script: input.text }] });
  return unclear(`\`${name}\``);
}

interface Run {
  readonly script: string;
  readonly folder: string;
  readonly log: string;
  readonly analysis: CommandAnalysis;
  readonly before: ReadonlyMap<string, string>;
}

/** Deep enough that no `cd ..` leaves it. */
function prepare(script: string, index: number): Run {
  const outer = join(top, `run${index}`);
  const folder = join(outer, 'u/v/w/x/y/z/here');
  for (const each of FOLDERS) mkdirSync(join(folder, each), { recursive: true });
  for (const each of FILES) writeFileSync(join(folder, each), `content of ${each}\n`);
  mkdirSync(join(outer, 'home/k'), { recursive: true });
  symlinkSync(join(outer, 'home/k'), join(folder, 'link'));
  writeFileSync(join(outer, 'script'), script);
  const analysis = analyseCommand(script, {
    directory: folder,
    home: join(outer, 'home'),
    judge,
  });
  return { script, folder, log: join(outer, 'log'), analysis, before: contents(outer) };
}

function contents(folder: string, into = new Map<string, string>()): Map<string, string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('log.') || entry.name === 'script') continue;
    if (entry.isDirectory()) contents(path, into);
    else if (entry.isFile()) into.set(path, `${statSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`);
  }
  return into;
}

function runAll(runs: readonly Run[]): void {
  const environment = childEnvironment({ PATH: programs, LANG: 'C.UTF-8' }, { roots: [], realPath: (path) => path });
  const given = Object.entries(environment)
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ');
  const driver = runs
    .map(({ folder }) => {
      const outer = resolve(folder, '../../../../../../..');
      return `cd '${folder}' && timeout -s KILL 1 env -i FUNCNEST=12 ${given} HOME='${outer}/home' LOG='${outer}/log' /bin/bash -c "$(<'${outer}/script')" </dev/null >/dev/null 2>&1`;
    })
    .join('\n');
  execFileSync('/bin/bash', ['-c', `ulimit -c 0\n${driver}\ntrue`], { stdio: 'ignore' });
}

interface Call {
  readonly argv: readonly string[];
  readonly cwd: string;
}

function callsOf({ folder }: Run): Call[] {
  const outer = resolve(folder, '../../../../../../..');
  const logs = readdirSync(outer).filter((name) => name.startsWith('log.'));
  return logs.flatMap((name) =>
    readFileSync(join(outer, name), 'utf8')
      .split('\0\0\n\0')
      .filter((part) => part !== '')
      .map((part): Call => {
        const argv = part.split('\0');
        const cwd = argv.pop() ?? '';
        return { argv, cwd };
      }),
  );
}

/** Which number it gets does not matter. */
const PIPE = /^\/dev\/fd\/\d+$/;

/** The names that a wildcard may become in a folder; undefined: any. */
type Names = (word: ShellWord) => ReadonlySet<string> | undefined;

/** As the analysis of effects finds them. */
function namesIn(folders: readonly string[] | undefined): Names {
  return ({ text = '', pattern = '' }) => {
    if (folders === undefined || text.startsWith('/')) return undefined;
    const names = new Set([text]);
    for (const folder of folders)
      for (const path of matchNames(`${folder}/${pattern}`, listNames) ?? []) names.add(path.slice(folder.length + 1));
    return names;
  };
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** May the words become these arguments? */
function mayBe(words: readonly ShellWord[], argv: readonly string[], names: Names): boolean {
  const [word, ...rest] = words;
  if (word === undefined) return argv.length === 0;
  const { text, start, splits, wildcardAt, isNumber } = word;
  const [first, ...others] = argv;
  if (text !== undefined && wildcardAt === undefined)
    return first?.replace(PIPE, '/dev/fd/63') === text.replace(PIPE, '/dev/fd/63') && mayBe(rest, others, names);
  if (isNumber === true) return first !== undefined && /^-?\d+$/.test(first) && mayBe(rest, others, names);
  const found = wildcardAt === undefined || text === undefined ? undefined : names(word);
  const least = wildcardAt !== undefined || !splits ? 1 : 0;
  const most = wildcardAt !== undefined || splits ? argv.length : 1;
  for (let count = least; count <= most; count += 1) {
    if (found !== undefined && !argv.slice(0, count).every((each) => found.has(each))) break;
    const begins = count === 0 ? start === '' : argv[0]?.startsWith(start.slice(0, wildcardAt)) === true;
    if (begins && mayBe(rest, argv.slice(count), names)) return true;
  }
  return false;
}

function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Names are compared only where the run made and removed none. */
function isForeseen({ argv, cwd }: Call, { commands }: CommandAnalysis, isStill: boolean): boolean {
  return commands.some(
    ({ words, folders }) =>
      mayBe(words, argv, isStill ? namesIn(folders) : () => undefined) &&
      (folders === undefined || folders.some((folder) => real(folder) === cwd)),
  );
}

function problemOf(run: Run): string | undefined {
  if (run.analysis.unknown.length > 0) return undefined;
  const after = contents(resolve(run.folder, '../../../../../../..'));
  const changed = [...new Set([...run.before.keys(), ...after.keys()])].filter(
    (path) => run.before.get(path) !== after.get(path),
  );
  const strange = callsOf(run).find((call) => !isForeseen(call, run.analysis, changed.length === 0));
  if (strange !== undefined) return `not foreseen: ${JSON.stringify(strange)}`;
  const unsaid = changed.find((path) => !run.analysis.files.some((use) => isWriteTo(path, use)));
  return unsaid === undefined ? undefined : `changed: ${unsaid}`;
}

function isWriteTo(path: string, { path: { kind, word }, folders }: FileUse): boolean {
  if (kind !== 'write') return false;
  return folders === undefined || folders.some((folder) => real(`${folder}/${word.text ?? ''}`) === path);
}

describe('against real bash', () => {
  it(
    'whatever a script runs or changes was foreseen, or it was said that more may happen',
    { timeout: 36_000_000 },
    () => {
      const known = { understood: 0, calls: 0, scripts: 0 };
      const problems: string[] = [];
      const reasons = new Map<string, number>();
      const seed = Number(process.env['TENON_ORACLE_SEED'] ?? '20');
      const scripts = fc.sample(shellScript, { numRuns: RUNS, seed });
      for (let index = 0; index < scripts.length; index += BATCH) {
        const runs = scripts.slice(index, index + BATCH).map((script, at) => prepare(script, index + at));
        runAll(runs);
        for (const run of runs) {
          known.scripts += 1;
          for (const reason of run.analysis.unknown) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
          if (run.analysis.unknown.length === 0) {
            known.understood += 1;
            known.calls += callsOf(run).length;
          }
          const problem = problemOf(run);
          if (problem !== undefined) problems.push(`${run.script}\n→ ${problem}`);
          rmSync(resolve(run.folder, '../../../../../../..'), { recursive: true, force: true });
        }
      }
      if (process.env['TENON_ORACLE_RUNS'] !== undefined)
        process.stdout.write(
          `${JSON.stringify(known)} ${problems.length} ${JSON.stringify([...reasons].sort((a, b) => b[1] - a[1]).slice(0, 25))}\n`,
        );
      problems.sort((one, other) => one.length - other.length);
      expect(problems.slice(0, 12).join('\n=====\n')).toBe('');
      expect(known.understood).toBeGreaterThan(RUNS / 10);
    },
  );
});
