import { count, findRuleFaults, testRuleExamples, ToolNames, type RuleFinding } from '@tenon/core';
import { exampleProblem } from '../check-rules.js';
import { ExitCode } from '../exit-codes.js';
import type { GatheredRules, PolicyAnswer } from './policy-answer.js';

/** `tenon policy test`: the examples of all rules of all layers. */
export async function testRules({ rules, places, program }: GatheredRules, answer: PolicyAnswer): Promise<ExitCode> {
  const { passed, failed } = testRuleExamples(rules, places, program);
  if (answer.isJson) {
    await answer.json({
      passed,
      failed: failed.map(({ rule, expected, example, instead }) => ({ rule: shown(rule), expected, example, instead })),
    });
  } else {
    for (const failure of failed) await answer.line(exampleProblem(failure));
    await answer.line(`${passed} passed, ${failed.length} failed`);
    if (passed + failed.length === 0)
      await answer.line(
        'No rule has examples: {"rule": "Bash(npm test *)", "match": ["npm test -w"], "not_match": []}.',
      );
  }
  return failed.length === 0 ? ExitCode.OK : ExitCode.UNEXPECTED;
}

/** `tenon policy lint`: what is wrong with the rules themselves. */
export async function lintRules(gathered: GatheredRules, answer: PolicyAnswer): Promise<ExitCode> {
  const { rules, places, ...around } = gathered;
  const findings = findRuleFaults(rules, places, { known: Object.values(ToolNames), ...around });
  const errors = findings.filter((finding) => finding.class === 'error').length;
  if (answer.isJson) {
    await answer.json({
      findings: findings.map(({ rule, ...finding }) => ({ rule: shown(rule), ...finding })),
    });
  } else {
    for (const finding of findings) await answer.line(findingLine(finding));
    const warnings = findings.length - errors;
    await answer.line(`${count(rules.length, 'rule')}, ${count(errors, 'error')}, ${count(warnings, 'warning')}`);
  }
  return errors === 0 ? ExitCode.OK : ExitCode.UNEXPECTED;
}

function findingLine({ rule, kind, message, instead, class: level }: RuleFinding): string {
  // The sentence about an unreadable rule names it already.
  const head = kind === 'unreadable' ? '' : `${rule.list} rule ${rule.text} (${rule.origin}): `;
  return `${level} ${kind}: ${head}${message} ${instead}`;
}

function shown({ list, text, origin }: RuleFinding['rule']): object {
  return { list, text, origin };
}
