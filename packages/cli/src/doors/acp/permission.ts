import { randomUUID } from 'node:crypto';
import type { ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import {
  describeEffect,
  ToolConfirmationOutcome,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approver,
  fenced,
} from '@tenon/core';
import { safeBlock, safeLine } from '../../ui/safe-lines.js';
import { askByClient } from './agent-questions.js';
import { diffContent, textContent } from './call-content.js';
import { canAskByForm, type ClientSession } from './client.js';
import type { ClientPaths } from './client-paths.js';
import { editFirst, type EditFirstOptions, type EditQuestion } from './edit-first.js';
import { NO, permissionChoices, type Choice } from './permission-choices.js';

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
function permissionTitle({ agent, description, displayName, details }: ApprovalRequest, paths: ClientPaths): string {
  const whole = safeLine(description) || safeLine(displayName);
  const title = details.type === 'exec' ? whole : paths.inTitle(whole);
  if (agent === undefined) return title;
  const name = safeLine(agent);
  return `${name.length > LONGEST_AGENT ? `${name.slice(0, LONGEST_AGENT - 1)}…` : name}: ${title}`;
}

export interface PermissionOptions extends EditFirstOptions {
  /**
   * The id by which the client knows a call, once it was told that approval is asked for; undefined for a question that
   * is part of no call, such as whether new tools of a server may come in.
   */
  readonly toldOf: (request: ApprovalRequest, signal: AbortSignal) => Promise<string | undefined>;
  /** The turn ends with this call: the person wants the next word. */
  readonly stopAfter: (request: ApprovalRequest) => void;
}

/** Puts calls to the person by the client. What is no clear yes, an aborted question also, is a no. */
export function createAcpApprover(options: PermissionOptions): Approver {
  const { session, toldOf, paths } = options;
  return async (request, signal) => {
    const known = await toldOf(request, signal);
    if (signal.aborted) return NO;
    if (known !== undefined) return ask({ request, toolCallId: known, signal }, options);
    const toolCallId = `${request.callId}-${randomUUID()}`;
    const title = permissionTitle(request, paths);
    await session.update({ sessionUpdate: 'tool_call', toolCallId, title, kind: 'other', status: 'pending' });
    const answer = await ask({ request, toolCallId, signal }, options).catch(() => NO);
    const status = answer.outcome === ToolConfirmationOutcome.Cancel ? 'failed' : 'completed';
    await session.update({ sessionUpdate: 'tool_call_update', toolCallId, status });
    return answer;
  };
}

interface Asked {
  readonly request: ApprovalRequest;
  readonly toolCallId: string;
  readonly signal: AbortSignal;
}

/** Until it is agreed to or not: a plan may be changed as often as the person likes. */
async function ask(asked: Asked, options: PermissionOptions): Promise<ApprovalAnswer> {
  const { session } = options;
  const { request, toolCallId, signal } = asked;
  if (request.details.type === 'question')
    return askByClient(session, { request, questions: request.details.questions, toolCallId }, signal);
  const canSayWhy = canAskByForm(session);
  let own: string | undefined;
  let notice: string | undefined;
  for (;;) {
    const shown = { ...asked, request: withPlan(request, own) };
    const question = {
      choices: permissionChoices(shown.request, canSayWhy),
      content: notice === undefined ? [] : [textContent(notice)],
    };
    const put = (each: Question): Promise<Choice | undefined> => putToClient(shown, each, options);
    const chosen = await put(question);
    if (chosen?.next !== 'edit') return settled(chosen, { ...shown, own }, options);
    const edited = await editFirst({ ...shown, canSayWhy, ask: put }, options);
    notice = edited.kind === 'back' ? edited.notice : undefined;
    if (edited.kind === 'mine') {
      const { text } = edited;
      if (request.details.type !== 'plan')
        return { outcome: ToolConfirmationOutcome.ModifyWithEditor, newContent: text };
      own = text;
      notice = 'This is your version: agree to it, and the model is told it word for word.';
    } else if (edited.kind === 'chosen') {
      if (edited.choice?.next !== 'first') return settled(edited.choice, shown, options);
      if (request.details.type !== 'plan') return { outcome: ToolConfirmationOutcome.ProceedOnce };
      own = undefined;
    }
  }
}

function withPlan(request: ApprovalRequest, plan: string | undefined): ApprovalRequest {
  const { details } = request;
  return plan === undefined || details.type !== 'plan' ? request : { ...request, details: { ...details, plan } };
}

interface Question extends Pick<EditQuestion, 'choices' | 'content'>, Partial<Pick<EditQuestion, 'locations'>> {}

/** Undefined: the question was closed, or answered with what was not offered. */
async function putToClient(
  { request, toolCallId, signal }: Asked,
  { choices, content, locations }: Question,
  { session, paths }: PermissionOptions,
): Promise<Choice | undefined> {
  const toolCall: ToolCallUpdate = {
    toolCallId,
    status: 'pending',
    title: permissionTitle(request, paths),
    content: [...content, ...permissionContent(request, paths)],
    ...(locations !== undefined && { locations: [...locations] }),
  };
  const { outcome } = await session.context.request(
    'session/request_permission',
    { sessionId: session.sessionId, toolCall, options: choices.map(({ option }) => option) },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  if (outcome.outcome !== 'selected') return undefined;
  return choices.find(({ option }) => option.optionId === outcome.optionId);
}

/** `own`: the person's version of a plan. */
async function settled(
  chosen: Choice | undefined,
  { request, toolCallId, signal, own }: Asked & { readonly own?: string | undefined },
  { session, stopAfter }: PermissionOptions,
): Promise<ApprovalAnswer> {
  if (chosen?.next === 'why') return { ...NO, ...(await askWhy(session, toolCallId, signal)) };
  if (chosen?.next === 'stop') stopAfter(request);
  const { answer } = chosen ?? { answer: NO };
  const isNo = answer.outcome === ToolConfirmationOutcome.Cancel;
  return own === undefined || isNo ? answer : { ...answer, newContent: own };
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
