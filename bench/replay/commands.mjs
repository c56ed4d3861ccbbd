// Counts the recorded commands that Tenon would ask about, by reason. Each is analysed as if it ran in a repository that names no
// program, in `default` mode, under PROJECT_RULES. `replayCommands(folder)` reads `commands.jsonl.xz` in that folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ApprovalMode } from '../../packages/core/dist/index.js';
import { compileRules } from '../../packages/core/dist/policy/compile-rules.js';
import { decide } from '../../packages/core/dist/policy/decide.js';
import { commandEffects } from '../../packages/core/dist/shell/command-effects.js';
import { plainSurroundings } from '../../packages/core/dist/testing/plain-surroundings.js';

/**
 * The rules that a user has after a few days in a Go, TypeScript, Rust, Python or .NET project. They cover the project's own files, version
 * control, builders, test runners, linters, task runners and status programs. They cover no interpreter, shell, ssh or xargs, nothing that
 * deletes, and no host.
 */
const PROJECT_RULES = [
  'Edit',
  'Bash(mise run *)',
  ...[
    'git gh',
    'go gofmt gofumpt goimports golangci-lint gotestsum',
    'npm npx pnpm yarn bun bunx tsc eslint prettier vitest jest biome turbo nx playwright',
    'cargo rustc rustfmt',
    'dotnet msbuild nuget',
    'pytest ruff mypy black uv pip poetry',
    'make just task mise rake gradle ./gradlew mvn',
    'docker docker-compose kubectl',
    // Tenon's tables know these programs, but judge none as known in a text with an unknown part.
    'cat cd cp cut diff echo false find fd grep head jq ls mkdir mv nl printf pwd rg sed sleep sort tail tee test touch tr true wc which export [',
  ].flatMap((line) => line.split(' ').map((program) => `Bash(${program} *)`)),
];

/** At most this share of all commands may ask because of an unknown effect alone. */
const MOST_UNKNOWN_ONLY = 0.04;
const TOP_REASONS = 15;
const ASSIGNMENT = /^\s*[A-Za-z_]\w*\+?=/;
const HOME = '/Users/dev';

async function* recordedCommands(folder) {
  const unpacking = spawn('xz', ['-dc', join(folder, 'commands.jsonl.xz')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(unpacking, 'close');
  for await (const line of createInterface({ input: unpacking.stdout })) yield JSON.parse(line);
  const [code] = await closed;
  if (code !== 0) throw new Error(`xz ended with ${code}`);
}

/** Names a folder of Windows as Git Bash does. */
function directoryOf({ cwd }) {
  return cwd.replace(/^([A-Za-z]):\\/, (_, drive) => `/${drive.toLowerCase()}/`).replaceAll('\\', '/');
}

function judge(recorded, rules) {
  const directory = directoryOf(recorded);
  const surroundings = { ...plainSurroundings(directory, HOME), isTrustedRepository: () => true };
  const effects = commandEffects(recorded.command, { directory, zone: 'workspace' }, surroundings);
  const context = { mode: ApprovalMode.DEFAULT, rules, roots: [directory], home: HOME };
  const compiled = compileRules(rules, context);
  const verdict = decide({ toolName: 'run_shell_command', effects }, context, compiled);
  const asking = verdict.parts.filter(({ decision }) => decision !== 'allow');
  const isUnknown = ({ effect }) => effect?.kind === 'unknown' || isHeldByVariable(effect, { context, compiled });
  return { asking, isOnlyUnknown: asking.every(isUnknown) };
}

/** Returns true if the rules allow the command without the variables in front of it. */
function isHeldByVariable(effect, { context, compiled }) {
  if (effect?.kind !== 'run' || !ASSIGNMENT.test(effect.command)) return false;
  const bare = { ...effect, command: effect.argv.join(' ') };
  return decide({ toolName: 'run_shell_command', effects: [bare] }, context, compiled).decision === 'allow';
}

/** Names what asks, without the words that differ from command to command. */
function kindOf({ effect, reason }) {
  if (effect?.kind === 'unknown') return effect.reason.replaceAll(/`[^`]*`/g, '`…`');
  if (effect?.kind === 'run') return `run ${effect.argv[0]?.split('/').at(-1)?.slice(0, 30)}`;
  return effect === undefined ? reason : `${effect.kind} ${effect.zone ?? ''}`.trim();
}

/**
 * Replays the commands of `commands.jsonl.xz` in the folder.
 * @param {string} folder with `commands.jsonl.xz`
 * @returns {Promise<{ rows: string[], failures: string[] }>} lines to print, and the bars that were missed
 */
export async function replayCommands(folder) {
  const rules = PROJECT_RULES.map((text) => ({ list: 'allow', text, origin: 'replay' }));
  const onlyUnknown = new Map();
  const others = new Map();
  let [all, asked, unknownOnly] = [0, 0, 0];
  const count = (counts, kinds) => {
    for (const kind of new Set(kinds)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };
  for await (const recorded of recordedCommands(folder)) {
    all += 1;
    const { asking, isOnlyUnknown } = judge(recorded, rules);
    if (asking.length === 0) continue;
    asked += 1;
    if (isOnlyUnknown) unknownOnly += 1;
    count(isOnlyUnknown ? onlyUnknown : others, asking.map(kindOf));
  }
  const share = (part) => `${((part / all) * 100).toFixed(1)} %`;
  const top = (counts) =>
    [...counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, TOP_REASONS)
      .map(([kind, number]) => `  ${String(number).padStart(5)}  ${kind}`);
  return {
    rows: [
      `commands: ${all}, asked about ${asked} (${share(asked)})`,
      `an unknown effect is the only reason for ${unknownOnly} (${share(unknownOnly)}, ≤ ${MOST_UNKNOWN_ONLY * 100} %):`,
      ...top(onlyUnknown),
      `other reasons for ${asked - unknownOnly}:`,
      ...top(others),
    ],
    failures:
      unknownOnly / all > MOST_UNKNOWN_ONLY ? [`commands: unknown effects alone ask about ${share(unknownOnly)}`] : [],
  };
}
