import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRule } from '../../packages/core/src/policy/parse-rule.js';
import { ARCHIVES } from './archives.js';
import { CHANGING_FILES } from './changing-files.js';
import { CONTROL_FILES } from './control-files.js';
import { DATA_FLOW } from './data-flow.js';
import { DECEPTION } from './deception.js';
import { ENVIRONMENT } from './environment.js';
import { FINDING } from './finding.js';
import { effectsOf, judge, missingEffects, rulesOf } from './fixture.js';
import { GIT } from './git.js';
import { INLINE_CODE } from './inline-code.js';
import { IRRECOVERABLE } from './irrecoverable.js';
import { LOOKING_AROUND } from './looking-around.js';
import { MORE_PROGRAMS } from './more-programs.js';
import { NETWORK } from './network.js';
import { PACKAGES } from './packages.js';
import { PATHS_AND_LINKS } from './paths-and-links.js';
import type { Expected, Group, Row } from './row.js';
import { RULE_SETS, type RuleSetName } from './rule-sets.js';
import { SHELL_SYNTAX } from './shell-syntax.js';
import { TEXT_TOOLS } from './text-tools.js';
import { THREATS } from './threats.js';
import { TIRED_PROMPTS } from './tired-prompts.js';
import { WINDOWS } from './windows.js';
import { WRAPPERS } from './wrappers.js';

/** What each command must lead to, decided from the manuals of the programs and from published bypasses, not from the code. */
const FAMILIES: Readonly<Record<string, readonly Group[]>> = {
  'looking around': LOOKING_AROUND,
  'text tools': TEXT_TOOLS,
  finding: FINDING,
  'changing files': CHANGING_FILES,
  git: GIT,
  'package managers and builders': PACKAGES,
  'interpreters and inline code': INLINE_CODE,
  network: NETWORK,
  archives: ARCHIVES,
  wrappers: WRAPPERS,
  "the shell's language": SHELL_SYNTAX,
  'control files': CONTROL_FILES,
  'paths and links': PATHS_AND_LINKS,
  'folders and variables': DATA_FLOW,
  environment: ENVIRONMENT,
  'names of other systems': WINDOWS,
  deception: DECEPTION,
  'prompts that people are tired of': TIRED_PROMPTS,
  'more programs': MORE_PROGRAMS,
  'what nothing brings back': IRRECOVERABLE,
};

const groups = Object.values(FAMILIES).flat();
const rows = groups.flatMap((group) => group.rows);

function isAsExpected(decision: string, expected: Expected): boolean {
  return expected === 'never allow' ? decision !== 'allow' : decision === expected;
}

/** What is wrong with a row, in one line; undefined when it comes out as it must. */
function differenceOf([command, expected, effects]: Row, group: Group): string | undefined {
  const stated = effectsOf(command, group.place);
  const { decision, reason } = judge(stated, group);
  const missing = missingEffects(effects, stated);
  if (isAsExpected(decision, expected) && missing.length === 0) return undefined;
  return `${decision} (${reason})${missing.length > 0 ? `; without ${missing.join(' ')}` : ''}`;
}

function shortened(command: string): string {
  const text = JSON.stringify(command);
  return text.length <= 100 ? text : `${text.slice(0, 60)}…${text.slice(-35)}`;
}

describe.each(Object.entries(FAMILIES))('%s', (_family, families) => {
  const cases = families.flatMap((group) =>
    group.rows.map((row): [string, Row, Group] => [
      `${group.rules}, ${group.mode}: ${shortened(row[0])} → ${row[1]}: ${row[3]}`,
      row,
      group,
    ]),
  );
  it.each(cases)('%s', (_title, row, group) => {
    const difference = differenceOf(row, group);
    expect(difference, difference).toBeUndefined();
  });
});

describe('the table', () => {
  it('has at least 400 commands, each once under the same rules, with a reason', () => {
    const keys = groups.flatMap(({ rules, mode, place, rows: own }) =>
      own.map(([command]) => JSON.stringify([command, rules, mode, place])),
    );
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(new Set(rows.map(([command]) => command)).size).toBeGreaterThanOrEqual(400);
    expect(rows.filter(([, , , reason]) => reason === '')).toEqual([]);
  });

  it('holds a row for every published bypass', () => {
    const reasons = rows.map(([, , , reason]) => reason);
    const names = (reason: string, threat: string): boolean => {
      const at = reason.indexOf(threat);
      return at !== -1 && !/\d/.test(reason.charAt(at + threat.length));
    };
    expect(THREATS.filter((threat) => !reasons.some((reason) => names(reason, threat)))).toEqual([]);
    expect(new Set(THREATS).size).toBe(THREATS.length);
  });

  it('uses rules that can be read, but for the one that is broken on purpose', () => {
    const names = Object.keys(RULE_SETS).filter((name): name is RuleSetName => name in RULE_SETS);
    const broken = names.filter((name) => rulesOf(name).some(({ text }) => 'problem' in parseRule(text)));
    expect(broken).toEqual(['brokenDeny']);
    expect(names.filter((name) => !groups.some(({ rules }) => rules === name))).toEqual([]);
  });
});

/** Forms that run the same commands in the same folder; a newline ends a comment or a here-document. */
const FORMS: readonly ((command: string) => string)[] = [
  (command) => `(${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `true; ${command}`,
  (command) => `ls && { ${command}\n}`,
  (command) => `${command}\ntrue`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `for i in 1 2; do ${command}\ndone`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `echo "$(${command}\n)"`,
  (command) => `bash -c ${quoted(command)}`,
  (command) => `timeout 5 bash -c ${quoted(command)}`,
  (command) => `  ${command} `,
];

function quoted(command: string): string {
  return `'${command.replaceAll("'", "'\\''")}'`;
}

const STRICTNESS: readonly string[] = ['allow', 'ask', 'deny'];

describe('the law', () => {
  it('no form of a command of the table is decided more mildly than the command itself', () => {
    const cases = groups.flatMap((group) => group.rows.map(([command]) => ({ command, group })));
    const decide = (command: string, group: Group): number =>
      STRICTNESS.indexOf(judge(effectsOf(command, group.place), group).decision);
    // What closes a bracket that it did not open is another command in every form.
    const isWhole = ({ command, group }: (typeof cases)[number]): boolean =>
      command.length < 2_000 &&
      !effectsOf(command, group.place).some((effect) => effect.kind === 'unknown' && effect.reason.includes('syntax'));
    const whole = cases.filter(isWhole);
    expect(whole.length).toBeGreaterThan(1_000);
    fc.assert(
      fc.property(
        fc.nat({ max: whole.length - 1 }),
        fc.array(fc.constantFrom(...FORMS), { minLength: 1, maxLength: 2 }),
        (index, forms) => {
          const one = whole[index];
          if (one === undefined) return;
          const form = forms.reduce((text, wrap) => wrap(text), one.command);
          const base = decide(one.command, one.group);
          const found = decide(form, one.group);
          expect(found, `${one.group.rules}, ${one.group.mode}: ${form}`).toBeGreaterThanOrEqual(base);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
