import { randomUUID } from 'node:crypto';
import type { PermissionOption, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import {
  describeEffect,
  ToolConfirmationOutcome,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approver,
  type PlanChoice,
  fenced,
} from '@tenon/core';
import { safeBlock, safeLine } from '../../ui/safe-lines.js';
import { askByClient } from './agent-questions.js';
import { diffContent, textContent } from './call-content.js';
import { canAskByForm, type ClientSession } from './client.js';
import type { ClientPaths } from './client-paths.js';

interface Choice {
  readonly option: PermissionOption;
  readonly answer: ApprovalAnswer;
  /** The person is asked for words to the model. */
  readonly asksWhy?: true;
}

const NO: ApprovalAnswer = { outcome: ToolConfirmationOutcome.Cancel };
/** Of a rule in the name of a choice; all of it is in `_meta`. */
const RULE_CHARS = 120;

/** What can be answered: as at the terminal, but for editing, which an editor does on the file itself. Pure. */
export function permissionChoices(
  request: Pick<ApprovalRequest, 'alwaysRules' | 'generalRules'> & Partial<Pick<ApprovalRequest, 'details'>>,
  canSayWhy: boolean,
): readonly Choice[] {
  const { alwaysRules, generalRules, details } = request;
  const modes = details?.type === 'plan' ? (details.choices ?? []) : [];
  return [
    ...(modes.length > 0
      ? modes.map(planChoice)
      : [choice('once', 'allow_once', 'Yes, once', { outcome: ToolConfirmationOutcome.ProceedOnce })]),
    ...(alwaysRules.length > 0 ? always('', alwaysRules, {}) : []),
    ...(generalRules === undefined ? [] : always('kind-', generalRules, { isGeneral: true })),
    choice('no', 'reject_once', 'No', NO),
    ...(canSayWhy ? [{ ...choice('no-because', 'reject_once', 'No, and say why', NO), asksWhy: true as const }] : []),
  ];
}

/** By the mode in which the plan is carried out. */
function planChoice({ outcome, mode }: PlanChoice): Choice {
  const names: Partial<Record<ToolConfirmationOutcome, string>> = {
    [ToolConfirmationOutcome.ProceedOnce]: 'Yes, and ask before changes',
    [ToolConfirmationOutcome.ProceedAlways]: 'Yes, and accept edits',
  };
  return choice(`plan-${mode}`, 'allow_once', names[outcome] ?? `Yes, back to ${mode} mode`, { outcome });
}

function always(prefix: string, rules: readonly string[], more: Pick<ApprovalAnswer, 'isGeneral'>): Choice[] {
  const text = safeLine(rules.join(', '));
  const shown = text.length > RULE_CHARS ? `${text.slice(0, RULE_CHARS)}…` : text;
  const { ProceedAlways, ProceedAlwaysProject } = ToolConfirmationOutcome;
  return [
    choice(
      `${prefix}session`,
      'allow_always',
      `Always in this session: ${shown}`,
      { outcome: ProceedAlways, ...more },
      rules,
    ),
    choice(
      `${prefix}project`,
      'allow_always',
      `Always in this project: ${shown}`,
      { outcome: ProceedAlwaysProject, ...more },
      rules,
    ),
  ];
}

function choice(
  optionId: string,
  kind: PermissionOption['kind'],
  name: string,
  answer: ApprovalAnswer,
  rules?: readonly string[],
): Choice {
  const meta = rules === undefined ? {} : { _meta: { tenon: { rules } } };
  return { option: { optionId, kind, name, ...meta }, answer };
}

/** What the person sees of the call. Nothing in it can hide: control characters and direction marks are shown. */
export function permissionContent(request: ApprovalRequest, paths: ClientPaths): ToolCallContent[] {
  const { agent, details, effects, reason, changedSinceApproval } = request;
  const changed = changedSinceApproval ? ['It was approved before, but what it would do has changed since.'] : [];
  const who = agent === undefined ? [] : [`The subagent ${safeLine(agent)} asks.`];
  const why = [...who, ...changed, `It is asked about because ${safeLine(reason)}.`];
  const does = effects.map((effect) => `- ${safeLine(describeEffect(effect))}`);
  const about = textContent([why.join(' '), ...does].join('\n'));
  switch (details.type) {
    case 'edit':
      return [...diffContent(details, paths), about];
    case 'exec': {
      const where = details.directory === undefined ? '' : `\nin ${safeLine(details.directory)}`;
      return [textContent(fenced(safeBlock(details.command)) + where), about];
    }
    case 'plan':
      return [textContent(details.plan), about];
    case 'mcp': {
      const whose = `${safeLine(details.toolName)} of the server ${safeLine(details.serverName)}`;
      return [
        textContent([whose, ...(details.prompt === undefined ? [] : [safeBlock(details.prompt)])].join('\n')),
        about,
      ];
    }
    case 'info':
      return [textContent(safeBlock(details.prompt)), about];
    case 'question':
      return [textContent(details.questions.map(({ question }) => safeBlock(question)).join('\n')), about];
    default:
      return details satisfies never;
  }
}

const LONGEST_AGENT = 60;

/** One line: what is asked about, and who wants it, where that is a subagent. */
function permissionTitle({ agent, description, displayName }: ApprovalRequest): string {
  const title = safeLine(description) || safeLine(displayName);
  if (agent === undefined) return title;
  const name = safeLine(agent);
  return `${name.length > LONGEST_AGENT ? `${name.slice(0, LONGEST_AGENT - 1)}…` : name}: ${title}`;
}

export interface PermissionOptions {
  readonly session: ClientSession;
  readonly paths: ClientPaths;
  /**
   * The id by which the client knows a call, once it was told that approval is asked for; undefined for a question that
   * is part of no call, such as whether new tools of a server may come in.
   */
  readonly toldOf: (request: ApprovalRequest, signal: AbortSignal) => Promise<string | undefined>;
}

/** Puts calls to the person by the client. What is no clear yes, an aborted question also, is a no. */
export function createAcpApprover({ session, paths, toldOf }: PermissionOptions): Approver {
  return async (request, signal) => {
    const known = await toldOf(request, signal);
    if (signal.aborted) return NO;
    if (known !== undefined) return ask(request, signal, known);
    const toolCallId = `${request.callId}-${randomUUID()}`;
    const title = permissionTitle(request);
    await session.update({ sessionUpdate: 'tool_call', toolCallId, title, kind: 'other', status: 'pending' });
    const answer = await ask(request, signal, toolCallId).catch(() => NO);
    const status = answer.outcome === ToolConfirmationOutcome.Cancel ? 'failed' : 'completed';
    await session.update({ sessionUpdate: 'tool_call_update', toolCallId, status });
    return answer;
  };

  async function ask(request: ApprovalRequest, signal: AbortSignal, toolCallId: string): Promise<ApprovalAnswer> {
    const { details } = request;
    if (details.type === 'question')
      return askByClient(session, { request, questions: details.questions, toolCallId }, signal);
    const choices = permissionChoices(request, canAskByForm(session));
    const toolCall: ToolCallUpdate = {
      toolCallId,
      status: 'pending',
      title: permissionTitle(request),
      content: permissionContent(request, paths),
    };
    const { outcome } = await session.context.request(
      'session/request_permission',
      { sessionId: session.sessionId, toolCall, options: choices.map(({ option }) => option) },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    if (outcome.outcome !== 'selected') return NO;
    const chosen = choices.find(({ option }) => option.optionId === outcome.optionId);
    if (chosen?.asksWhy === true) return { ...NO, ...(await askWhy(session, toolCallId, signal)) };
    return chosen?.answer ?? NO;
  }
}

async function askWhy(
  { context, sessionId }: ClientSession,
  toolCallId: string,
  signal: AbortSignal,
): Promise<Pick<ApprovalAnswer, 'feedback'>> {
  try {
    const answer = await context.request(
      'elicitation/create',
      {
        mode: 'form',
        sessionId,
        toolCallId,
        message: 'What should be done instead?',
        requestedSchema: {
          type: 'object',
          properties: { feedback: { type: 'string', title: 'Words for the model' } },
          required: ['feedback'],
        },
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    if (answer.action !== 'accept' || typeof answer.content !== 'object') return {};
    const { feedback } = { ...answer.content } as { readonly feedback?: unknown };
    return typeof feedback === 'string' && feedback.trim() !== '' ? { feedback } : {};
  } catch {
    return {};
  }
}
