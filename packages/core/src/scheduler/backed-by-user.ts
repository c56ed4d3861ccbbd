import type { RunEffect } from '../effects/effect.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import type { Rule } from '../policy/rule.js';
import type { Verdict } from '../policy/verdict.js';

export interface CommandText {
  readonly mode: ApprovalMode;
  /** The whole command line as the model wrote it. */
  readonly text: string;
  /** Names of the variables that hold secrets. */
  readonly secretVariables: readonly string[];
}

/**
 * Returns true if the user stands behind a command line that runs without a question. It then gets the secrets of the environment. An allow
 * rule, a hook or yolo mode stands behind a command that does more than read. The mode alone never stands behind a reader. A reader beside
 * an approved command must not use secrets that only that command was meant to get. Pure.
 */
export function isBackedByUser({ parts }: Verdict, { mode, text, secretVariables }: CommandText): boolean {
  if (parts.some(({ effect, decision }) => effect === undefined && decision === 'allow')) return true;
  const runs = parts.flatMap(({ effect, rule }) => (effect?.kind === 'run' ? [{ effect, rule }] : []));
  if (mode === ApprovalMode.YOLO) return runs.some(({ effect }) => !isReader(effect));
  const backed = runs.filter(isAllowedByRule).map(({ effect }) => effect);
  const others = runs.filter((run) => !isAllowedByRule(run)).map(({ effect }) => effect);
  if (backed.length === 0) return others.length === 0 && parts.some(isAllowedByRule);
  const uses = (part: string): boolean => part.includes('${!') || secretVariables.some((name) => part.includes(name));
  if (others.some((effect) => printsVariables(effect) || uses(effect.command))) return false;
  // The rest is text between the commands: assignments, loop headers, here-documents.
  const rest = backed.reduce((left, { command }) => left.replace(command, ''), text.replaceAll(/\s+/g, ' '));
  return others.length === 0 || !uses(rest);
}

function isReader(effect: RunEffect): boolean {
  return effect.readOnly || effect.isStated === true || printsVariables(effect);
}

function isAllowedByRule({ rule }: { readonly rule?: Rule | undefined }): boolean {
  return rule?.list === 'allow';
}

/** Returns true if a command prints every variable: `set`, `export -p`, `env A=1` and the like. */
function printsVariables({ argv: [program = '', ...words] }: RunEffect): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (name === 'set') return words.length === 0;
  if (name === 'env') return words.every((word) => word.startsWith('-') || word.includes('='));
  if (name === 'printenv') return true;
  return /^(?:export|declare|typeset|readonly|local)$/.test(name) && words.every((word) => /^[-+]/.test(word));
}
