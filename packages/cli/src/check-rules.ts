import { compileRules, suggestToolName, ToolNames, type Rule } from '@tenon/core';
import { ExitCode, ExitFailure } from './exit-codes.js';

export interface CheckedRules {
  readonly rules: readonly Rule[];
  readonly warnings: readonly string[];
}

/**
 * Looks for rules that say nothing or not what was meant. A broken allow rule of a settings file only leads to
 * questions: it is left out with a warning. Any other could be a protection that was lost: the run stops.
 * @throws ExitFailure `USAGE` for a rule of the command line, `SETTINGS` for one of a file
 */
export function checkRules(rules: readonly Rule[], places: { roots: readonly string[]; home: string }): CheckedRules {
  const known: readonly string[] = Object.values(ToolNames);
  const compiled = compileRules(rules, places);
  const problems = compiled.problems.map(({ rule, problem }) => ({ rule, problem }));
  for (const { rule, parsed } of compiled.rules) {
    const meant = suggestToolName(parsed.name, known);
    if (meant === undefined) continue;
    const head = `${rule.list} rule ${JSON.stringify(rule.text)} of ${rule.origin}`;
    problems.push({ rule, problem: `${head}: there is no tool "${parsed.name}". Did you mean ${meant}?` });
  }
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
