import { isPathEffect, type Effect } from '../../packages/core/src/effects/effect.js';
import { decide } from '../../packages/core/src/policy/decide.js';
import type { Rule } from '../../packages/core/src/policy/rule.js';
import type { Verdict } from '../../packages/core/src/policy/verdict.js';
import { commandEffects, type CommandSurroundings } from '../../packages/core/src/shell/command-effects.js';
import type { Group, Mode, Place } from './row.js';
import { RULE_SETS, type RuleSetName } from './rule-sets.js';

const ROOT = '/work/app';
const HOME = '/home/ann';

/** What lies in the folders of the machine that the commands are judged for. */
const FOLDERS: Readonly<Record<string, string>> = {
  '/': 'bin dev etc home proc tmp work',
  '/work': 'app app-evil other',
  '/work/app':
    '.env .git .gitignore README.md a.txt b.txt dist docs file key.pem links Makefile node_modules odd package.json packages secret src test tools vendor',
  '/work/app/.git': 'HEAD config hooks index objects refs',
  '/work/app/.git/hooks': 'pre-commit.sample',
  '/work/app/docs': 'guide.md',
  '/work/app/dist': 'main.js',
  '/etc': 'cron.d hosts passwd',
  '/work/app/links': 'env etc own settings src',
  '/work/app/odd': '--checkpoint-action=exec=sh --checkpoint=1 --compress-program=sh -rf a.txt',
  '/work/app/packages': 'a b',
  '/work/app/packages/a': 'package.json src',
  '/work/app/secret': 'key',
  '/work/app/src': 'a.ts b.ts deep index.ts',
  '/work/app/src/deep': 'c.ts',
  '/work/app/test': 'a.test.ts',
  '/work/app/tools': 'gen.py',
  '/work/app/vendor': 'nested',
  '/home': 'ann',
  '/home/ann': '.bashrc .ssh notes',
};

const LINKS: Readonly<Record<string, string>> = {
  '/work/app/links/env': '/work/app/.env',
  '/work/app/links/etc': '/etc',
  '/work/app/links/own': '/home/ann/.ssh',
  '/work/app/links/settings': '/work/app/.claude',
  '/work/app/links/src': '/work/app/src',
};

/** As the kernel does: links are followed before `..` is worked out. */
function follow(path: string): string {
  let real = '';
  for (const name of path.split('/')) {
    if (name === '..') real = real.slice(0, Math.max(0, real.lastIndexOf('/')));
    else if (name !== '' && name !== '.') real = LINKS[`${real}/${name}`] ?? `${real}/${name}`;
  }
  return real === '' ? '/' : real;
}

function zoneOf(path: string): 'workspace' | 'outside' {
  return path === ROOT || path.startsWith(`${ROOT}/`) ? 'workspace' : 'outside';
}

function surroundings({ isUntrusted = false, ownPrograms = [] }: Place): CommandSurroundings {
  return {
    home: HOME,
    resolve: (path) => {
      const real = follow(path);
      return { path: real, zone: zoneOf(real) };
    },
    list: (folder) => FOLDERS[follow(folder)]?.split(' ') ?? [],
    isTrustedRepository: (folder) => {
      const real = follow(folder);
      return !isUntrusted && zoneOf(real) === 'workspace' && !real.startsWith(`${ROOT}/vendor`);
    },
    isSystemProgram: (name) => !ownPrograms.includes(name),
  };
}

/** The effects of a command in the workspace of the fixture, or in the place that the group names. */
export function effectsOf(command: string, place: Place): Effect[] {
  const directory = place.from ?? ROOT;
  return commandEffects(command, { directory, zone: zoneOf(directory) }, surroundings(place));
}

export function rulesOf(name: RuleSetName): Rule[] {
  const lists: Readonly<Partial<Record<'allow' | 'ask' | 'deny', readonly string[]>>> = RULE_SETS[name];
  return (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (lists[list] ?? []).map((text): Rule => ({ list, text, origin: 'table' })),
  );
}

export function judge(effects: readonly Effect[], { rules, mode }: Pick<Group, 'rules' | 'mode'>): Verdict {
  const context = { mode: mode satisfies Mode, rules: rulesOf(rules), roots: [ROOT], home: HOME };
  return decide({ toolName: 'run_shell_command', effects }, context);
}

/**
 * Which of the wanted effects are not among those stated. `read:p`, `write:p`, `delete:p`: that real path, from the
 * workspace or `~`, with `/**` at its end the whole tree (more than was wanted is fine); `fetch:host`; `run:program`; `readOnly`, `stated`: true of every
 * command; `unknown`, `known`: something is in doubt, nothing is; `no:kind`: no effect of that kind.
 */
export function missingEffects(wanted: string, effects: readonly Effect[]): string[] {
  return wanted.split(' ').filter((each) => each !== '' && !isStated(each, effects));
}

function isStated(wanted: string, effects: readonly Effect[]): boolean {
  const runs = effects.flatMap((effect) => (effect.kind === 'run' ? [effect] : []));
  const colon = wanted.indexOf(':');
  const kind = colon === -1 ? wanted : wanted.slice(0, colon);
  const value = wanted.slice(colon + 1);
  switch (kind) {
    case 'readOnly':
      return runs.every(({ readOnly }) => readOnly);
    case 'stated':
      return runs.every((run) => run.isStated === true);
    case 'unknown':
    case 'known':
      return effects.some((effect) => effect.kind === 'unknown') === (kind === 'unknown');
    case 'no':
      return effects.every((effect) => effect.kind !== value);
    case 'run':
      return runs.some(({ argv }) => argv[0] === value);
    case 'fetch':
      return effects.some((effect) => effect.kind === 'fetch' && effect.host === value);
    default:
      return effects.some((effect) => isPathEffect(effect) && effect.kind === kind && isPath(value, effect));
  }
}

function isPath(wanted: string, { path, scope }: { readonly path: string; readonly scope?: 'tree' }): boolean {
  const isTree = wanted.endsWith('/**');
  const bare = isTree ? wanted.slice(0, -3) : wanted;
  const absolute = bare.startsWith('/') ? bare : /^~(?:\/|$)/.test(bare) ? HOME + bare.slice(1) : `${ROOT}/${bare}`;
  return path === (bare === '.' ? ROOT : bare === '' ? '/' : absolute) && (scope === 'tree' || !isTree);
}
