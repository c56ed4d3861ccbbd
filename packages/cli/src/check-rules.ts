import { compileRules, suggestToolName, ToolNames, type Rule } from '@tenon/core';
import { ExitCode, ExitFailure } from './exit-codes.js';

export interface CheckedRules {
  readonly rules: readonly Rule[];
  readonly warnings: readonly string[];
}

type CompiledRule = ReturnType<typeof compileRules>['rules'][number];

/**
 * Looks for rules that say nothing or not what was meant. A broken allow rule of a settings file only leads to
 * questions: it is left out with a warning. Any other could be a protection that was lost: the run stops.
 * @throws ExitFailure `USAGE` for a rule of the command line, `SETTINGS` for one of a file
 */
export function checkRules(rules: readonly Rule[], places: { roots: readonly string[]; home: string }): CheckedRules {
  const compiled = compileRules(rules, places);
  const problems = [
    ...compiled.problems.map(({ rule, problem }) => ({ rule, problem })),
    ...compiled.rules.flatMap((each) => {
      const problem = nameProblem(each);
      return problem === undefined ? [] : [{ rule: each.rule, problem }];
    }),
  ];
  const broken = new Set<Rule>();
  const warnings: string[] = [];
  for (const { rule, problem } of problems) {
    if (rule.origin === 'command line') throw new ExitFailure(ExitCode.USAGE, problem);
    if (rule.list !== 'allow') throw new ExitFailure(ExitCode.SETTINGS, problem);
    broken.add(rule);
    warnings.push(`${problem} The rule is left out.`);
  }
  return { rules: rules.filter((rule) => !broken.has(rule)), warnings };
}

/** What is wrong with the name in a rule; undefined for one that is known or may become so. */
function nameProblem({ rule, parsed }: CompiledRule): string | undefined {
  const known: readonly string[] = Object.values(ToolNames);
  const { name, subject } = parsed;
  // An alias, be it of a tool that other versions have: a rule about it does no harm and was meant.
  if (subject.by === 'tool' && !subject.prefix && subject.name !== name) return undefined;
  const meant = suggestToolName(name, known);
  if (meant === undefined) {
    if (subject.by === 'effect' || known.includes(subject.name)) return undefined;
    if (subject.prefix && known.some((tool) => tool.startsWith(subject.name))) return undefined;
    // Tools that are not built in, such as `alias__tool` of a server, have names of several words. One word that
    // nothing resembles is nobody's name.
    if (subject.name.includes('_')) return undefined;
  }
  const hint =
    meant === undefined
      ? 'Rules take Bash, Read, Edit, WebFetch and what `tenon tools` lists.'
      : `Did you mean ${meant}?`;
  const head = `${rule.list} rule ${JSON.stringify(rule.text)} of ${rule.origin}`;
  return `${head}: there is no tool "${name}". ${hint}`;
}
