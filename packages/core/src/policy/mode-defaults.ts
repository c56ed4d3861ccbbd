import { foreignCall } from '../effects/describe.js';
import type { Effect, PathEffect } from '../effects/effect.js';
import { ApprovalMode } from './approval-mode.js';
import type { Decision } from './verdict.js';

/** What the mode says about an effect that no rule speaks of, and why. */
export interface ModeDefault {
  readonly decision: Decision;
  readonly reason: string;
}

/**
 * The mode's own decision. Plan lets nothing pass but reads (those of the web with a question), what is known to change nothing, and
 * handing work to subagents, whose calls are judged like any other.
 */
export function modeDefault(effect: Effect, mode: ApprovalMode): ModeDefault {
  const decided = (decision: Decision, what: string): ModeDefault => ({
    decision,
    reason: sentence(decision, what, mode),
  });
  switch (effect.kind) {
    case 'read':
      if (effect.zone === 'skill') return decided('allow', 'reading what the person keeps for agents to read');
      if (effect.zone !== 'outside') return decided('allow', 'reading in the workspace');
      return decided(mode === ApprovalMode.YOLO ? 'allow' : 'ask', 'reading outside the workspace');
    case 'write':
    case 'delete':
      return changeDefault(effect, mode, decided);
    case 'run':
      if (effect.readOnly) return decided('allow', 'running a command that is known to change nothing');
      if (effect.isStated === true)
        return decided('allow', 'a command of which all that it touches is judged by itself');
      if (effect.isAgreed === true) return decided('allow', 'starting what you trusted the folder with');
      if (effect.isAgreed === false)
        return decided(byMode(mode), 'starting code of this folder that you have not trusted (see `tenon trust`)');
      if (isFreeIn(effect, mode)) return decided('allow', 'a command that a sandbox contains');
      if (effect.unread !== undefined) return decided(byMode(mode), `what could not be analysed (${effect.unread})`);
      return decided(byMode(mode), 'running a command');
    case 'fetch':
      if (isFreeIn(effect, mode)) return decided('allow', 'reaching a host that the sandbox lets commands reach');
      if (mode === ApprovalMode.PLAN && effect.onlyReads === true) return decided('ask', 'reading the web');
      return decided(byMode(mode), 'reaching the network');
    case 'unknown':
      if (isFreeIn(effect, mode)) return decided('allow', 'what a sandbox contains');
      return decided(byMode(mode), `what could not be analysed (${effect.reason})`);
    case 'foreign':
      return decided(effect.does === 'reads' ? 'allow' : byMode(mode), `calling ${foreignCall(effect)}`);
    case 'delegate':
      return decided('allow', 'handing work to a subagent, whose calls are judged on their own');
    case 'ask':
      return decided('allow', 'asking the person');
    case 'secret':
      // No mode means this: only a rule or the person does.
      return decided(
        mode === ApprovalMode.PLAN ? 'deny' : 'ask',
        `putting the secret ${effect.name} into ${effect.into}`,
      );
    default:
      return effect satisfies never;
  }
}

/**
 * Decides about a change. The temp folder counts like the workspace, because written files can be run from there. A file with other names
 * counts as outside: a package manager's store and other projects share it.
 */
function changeDefault(
  { kind, zone, hasOtherNames }: PathEffect,
  mode: ApprovalMode,
  decided: (decision: Decision, what: string) => ModeDefault,
): ModeDefault {
  const verb = kind === 'write' ? 'writing' : 'deleting';
  if (mode === ApprovalMode.PLAN) return decided('deny', verb);
  const place = {
    workspace: 'in the workspace',
    temp: 'in the temp folder of the project',
    skill: 'in the folder of a skill',
    outside: 'outside the workspace',
  }[zone];
  const where = hasOtherNames === true ? `${place}, to a file that has other names (hard links)` : place;
  const isFree =
    kind === 'write' &&
    hasOtherNames !== true &&
    (zone === 'workspace' || zone === 'temp') &&
    mode === ApprovalMode.AUTO_EDIT;
  return decided(isFree || mode === ApprovalMode.YOLO ? 'allow' : 'ask', `${verb} ${where}`);
}

/** The mode lets the model change files, and a sandbox sees to it that a command does no more. */
function isFreeIn({ isContained }: { readonly isContained?: boolean }, mode: ApprovalMode): boolean {
  return mode === ApprovalMode.AUTO_EDIT && isContained === true;
}

function byMode(mode: ApprovalMode): Decision {
  if (mode === ApprovalMode.PLAN) return 'deny';
  return mode === ApprovalMode.YOLO ? 'allow' : 'ask';
}

function sentence(decision: Decision, what: string, mode: ApprovalMode): string {
  const verb = { allow: 'allows', ask: 'asks before', deny: 'forbids' }[decision];
  return `${mode} mode ${verb} ${what}`;
}
