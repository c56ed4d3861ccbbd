import { examineCall, ToolNames, type ExaminationServices, type ExaminedCall, type SupposedCall } from '@tenon/core';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import type { PolicyAnswer } from './policy-answer.js';

/** `tenon policy explain`: how calls would be judged, rule by rule. */
export async function explainCalls(
  text: string,
  services: ExaminationServices,
  answer: PolicyAnswer,
): Promise<ExitCode> {
  const calls = callsOf(text);
  const examined: ExaminedCall[] = [];
  for (const call of calls) examined.push(await examine(call, services));
  if (answer.isJson) {
    await answer.json(examined.map(({ explanation, choices }) => ({ ...explanation, always: choices })));
    return ExitCode.OK;
  }
  for (const [index, { text: told, choices, explanation }] of examined.entries()) {
    if (index > 0) await answer.line('');
    for (const line of told.split('\n')) await answer.line(line);
    for (const { kind, rules } of choices)
      await answer.line(`"always" would save (${KINDS[kind]}): ${rules.join(' and ')}`);
    if (choices.length === 0 && explanation.decision === 'ask')
      await answer.line('"always" is not offered: no rule that is safe to save would answer it.');
  }
  return ExitCode.OK;
}

const KINDS = { exact: 'this very call', general: 'calls of this kind' } as const;

async function examine(call: SupposedCall, services: ExaminationServices): Promise<ExaminedCall> {
  try {
    return await examineCall(call, services, new AbortController().signal);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ExitFailure(ExitCode.USAGE, message, { cause: thrown });
  }
}

const FORM = `{"tool": "${ToolNames.SHELL}", "args": {"command": "ls"}}`;

/** JSON that is a call or a list of calls; any other text is a command. */
function callsOf(text: string): SupposedCall[] {
  if (text.trim() === '')
    throw new ExitFailure(ExitCode.USAGE, `There is nothing to explain: give a command or ${FORM}.`);
  const value = jsonOf(text);
  if (value === undefined) {
    return [{ toolName: ToolNames.SHELL, argumentsText: JSON.stringify({ command: text }) }];
  }
  return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map((item) => {
    if (typeof item === 'object' && item !== null && 'tool' in item && typeof item.tool === 'string') {
      const args: unknown = 'args' in item ? item.args : {};
      return { toolName: item.tool, argumentsText: JSON.stringify(args) };
    }
    throw new ExitFailure(ExitCode.USAGE, `A call is written ${FORM}, and several as a list of those.`);
  });
}

/** Undefined for what is no JSON object or list: `[ -f x ]` and `{ ls; }` are commands. */
function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
