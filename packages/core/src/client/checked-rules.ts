import { compileRules } from '../policy/compile-rules.js';
import type { Places } from '../policy/path-pattern.js';
import type { Rule } from '../policy/rule.js';
import { Failure } from '../util/failure.js';

/**
 * The rules that can be read. A broken allow rule only leads to questions: it is left out with a warning. Any other could be a
 * protection that was lost. @throws Failure `rule_broken`
 */
export function checkedRules(
  rules: readonly Rule[],
  places: Places,
): { readonly rules: readonly Rule[]; readonly warnings: readonly string[] } {
  const { problems } = compileRules(rules, places);
  const fatal = problems.find(({ rule }) => rule.list !== 'allow' || rule.isManaged === true);
  if (fatal !== undefined) throw new Failure('rule_broken', fatal.problem);
  const broken = new Set(problems.map(({ rule }) => rule));
  return {
    rules: rules.filter((rule) => !broken.has(rule)),
    warnings: problems.map(({ problem }) => `${problem} The rule is left out.`),
  };
}
