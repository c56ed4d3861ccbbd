import { resolve } from 'node:path';
import { compileRules } from '../policy/compile-rules.js';
import { parseRule } from '../policy/parse-rule.js';
import { lintRules, type RuleFinding } from '../policy/lint-rules.js';
import type { Places } from '../policy/path-pattern.js';
import { checkExamples, type CheckedExamples, type ReadCommand } from '../policy/rule-examples.js';
import type { Rule } from '../policy/rule.js';
import type { ShellProgram } from '../process/shell-program.js';
import { readCommand } from '../tools/read-command.js';

/**
 * Tries the examples that stand in rules, each rule by itself. A command holds as bash reads it or as `program` does: rules
 * go along to machines with other shells.
 */
export function testRuleExamples(
  rules: readonly Rule[],
  places: Places,
  program: ShellProgram = 'bash',
): CheckedExamples {
  const checked = checkExamples(rules, places, readCommandIn(places, 'bash'));
  if (program === 'bash' || checked.failed.length === 0) return checked;
  const other = checkExamples(rules, places, readCommandIn(places, program));
  const failed = checked.failed.filter((one) =>
    other.failed.some(
      ({ rule, expected, example }) => rule === one.rule && expected === one.expected && example === one.example,
    ),
  );
  return { passed: checked.passed + checked.failed.length - failed.length, failed };
}

interface FaultsAround {
  /** The wire names of the tools there are. */
  readonly known: readonly string[];
  readonly program?: ShellProgram | undefined;
  /** There is a command that may bring tools of any name. */
  readonly discovers?: boolean;
  /** Servers, as they stand in the names of their tools; undefined where that is not known. */
  readonly servers?: readonly string[];
}

/**
 * What is wrong with rules. For a shell that is not analysed, a rule that is
 * a whole text speaks of that text, whatever bash would make of it, and no wider rule speaks of it.
 */
export function findRuleFaults(
  rules: readonly Rule[],
  places: Places,
  { program = 'bash', ...around }: FaultsAround,
): RuleFinding[] {
  const asBash = readCommandIn(places, 'bash');
  const found = lintRules(compileRules(rules, places), { ...around, places, readCommand: asBash });
  if (program === 'bash') return found;
  const failing = new Set(testRuleExamples(rules, places, program).failed.map(({ rule }) => rule));
  return found.filter(({ rule, kind }) => {
    if (kind === 'example-fails') return failing.has(rule);
    return !((kind === 'never-matches' || kind === 'shadowed') && isWholeText(rule));
  });
}

function isWholeText({ list, text }: Rule): boolean {
  const parsed = parseRule(text);
  if (list !== 'allow' || 'problem' in parsed || parsed.specifier?.kind !== 'command') return false;
  const { words, anyRest } = parsed.specifier.pattern;
  return !anyRest && words.every((pieces) => pieces.length === 1);
}

/** Commands as text alone tells them: in the first root, on a machine without links. */
function readCommandIn({ roots, home }: Places, program: ShellProgram): ReadCommand {
  const [directory = '/'] = roots;
  const isInside = (path: string): boolean => roots.some((root) => path === root || path.startsWith(`${root}/`));
  const surroundings = () => ({
    home,
    resolve: (path: string) => ({
      path: resolve(path),
      zone: isInside(resolve(path)) ? ('workspace' as const) : ('outside' as const),
    }),
  });
  return (text) => readCommand(text, { directory, zone: 'workspace' }, { program, surroundings });
}
