import {
  compileRules,
  mayNameAny,
  nameProblem,
  narrowProblem,
  serverProblem,
  testRuleExamples,
  ToolNames,
  type FailedExample,
  type Rule,
  type ShellProgram,
} from '@tenon/core';
import { ExitCode, ExitFailure } from './exit-codes.js';

export interface CheckedRules {
  readonly rules: readonly Rule[];
  readonly warnings: readonly string[];
}

interface RuleSurroundings {
  readonly program?: ShellProgram | undefined;
  readonly discovers?: boolean;
  readonly servers?: readonly string[];
}

/**
 * Finds rules that do nothing, or not what their author meant: by their form, the tool they name, and their examples. A broken allow rule
 * of a settings file only leads to questions, so it is skipped with a warning. Any other broken rule may be a lost protection, so the run
 * stops, as for every broken rule of the administrator. A rule stays with a warning if it names an unknown server or covers less than it
 * seems to: another folder may have that server. `discovers`: a command may bring tools of any name. `servers`: as they stand in names of
 * tools.
 * @throws ExitFailure `USAGE` for a rule of the command line, `SETTINGS` for one of a file
 */
export function checkRules(
  rules: readonly Rule[],
  places: { roots: readonly string[]; home: string },
  { program, discovers = false, servers = [] }: RuleSurroundings = {},
): CheckedRules {
  const compiled = compileRules(rules, places);
  const known: readonly string[] = Object.values(ToolNames);
  const problems = [
    ...compiled.problems.map(({ rule, problem }) => ({ rule, problem })),
    ...compiled.rules.flatMap((each) => {
      const problem = nameProblem(each, known, mayNameAny(each, { discovers, servers }));
      return problem === undefined ? [] : [{ rule: each.rule, problem: `${headOf(each.rule)}: ${problem}` }];
    }),
    ...testRuleExamples(rules, places, program).failed.map((failed) => ({
      rule: failed.rule,
      problem: exampleProblem(failed),
    })),
  ];
  const broken = new Set<Rule>();
  const warnings: string[] = [];
  for (const { rule, problem } of problems) {
    if (rule.origin === 'command line') throw new ExitFailure(ExitCode.USAGE, problem);
    if (rule.list !== 'allow' || rule.isManaged === true) throw new ExitFailure(ExitCode.SETTINGS, problem);
    broken.add(rule);
    warnings.push(`${problem} The rule is left out.`);
  }
  for (const each of compiled.rules) {
    // `tenon policy lint` reports this for rules of another agent, because users do not edit them here.
    const narrow = each.rule.isForeign === true ? undefined : narrowProblem(each);
    if (narrow !== undefined) warnings.push(`${headOf(each.rule)}: ${narrow.message} ${narrow.instead}`);
    // Without servers, no rule of a file can have missed one. Rules of another agent are about its own servers.
    const isTold = (servers.length > 0 && each.rule.isForeign !== true) || each.rule.origin === 'command line';
    const problem = isTold ? serverProblem(each, servers) : undefined;
    if (problem !== undefined) warnings.push(`${headOf(each.rule)} says nothing here: ${problem}`);
  }
  return { rules: rules.filter((rule) => !broken.has(rule)), warnings };
}

/** What came of an example that does not hold: one sentence. */
export function exampleProblem({ rule, expected, example, instead }: FailedExample): string {
  return `${headOf(rule)}: its example ${JSON.stringify(example)} under "${expected}" fails: ${instead}.`;
}

function headOf({ list, text, origin }: Rule): string {
  return `${list} rule ${JSON.stringify(text)} of ${origin}`;
}
