import { conflict } from '../effects/conflicts.js';
import type { Effect } from '../effects/effect.js';
import type { Verdict } from '../policy/verdict.js';
import { ToolConfirmationOutcome } from '../tools/confirmation.js';
import { isModifiableTool } from '../tools/modifiable-tool.js';
import { ToolErrorType } from '../tools/tool-error.js';
import { failedResult, toParts, type ToolResult, type ToolResultDisplay } from '../tools/tool-result.js';
import { Kind, resultOfThrown } from '../tools/tools.js';
import type { ApprovalAnswer } from './approval.js';
import {
  applyAnswer,
  approvalRequest,
  askPerson,
  assess,
  grantedRules,
  type Assessment,
  type Question,
} from './approve-call.js';
import type { CallEvent, CallStatus } from './call-events.js';
import { advance, type CallState } from './call-state.js';
import { CallStop } from './call-stop.js';
import { adviceFor, denialText, nobodyToAsk, refusedByPerson } from './denial-text.js';
import { effectsOf } from './effects-of.js';
import { isForPerson, withHookWord, type HookWord } from './hook-verdict.js';
import { fillSecrets, ownVersion, runWithSecrets } from './fill-secrets.js';
import { afterHooks, hookedCall, refusalOf, throughHooks, withContexts, type HookedLife } from './hooked-call.js';
import { CANCELLED, contentForModel, displayOf, executeInvocation } from './execute-call.js';
import { untoldRepairs } from './untold-repairs.js';
import { type CallRequest, type InvalidCall, type PreparedCall, rebuilt, tryPrepareCall } from './prepare-call.js';
import type { SchedulerServices } from './services.js';

/** How often a call whose subject keeps changing is put to the person before it is given up. */
const MAX_QUESTIONS = 5;

interface Ending {
  readonly status: CallStatus;
  readonly result: ToolResult;
}

interface AroundCall {
  readonly services: SchedulerServices;
  /** Of the whole batch; only whether it has been aborted before. */
  readonly signal: AbortSignal;
  readonly emit: (event: CallEvent) => void;
  /** Once, after its last event. */
  readonly onEnd: () => void;
}

/** The one life of a call: validate → hooks → effects → wait for conflicting ones → policy → approval → run → hooks → budget → end. */
export class CallLife {
  /** Settles when the call has ended, however. Never rejects. */
  readonly ended: Promise<void>;
  readonly #call: CallRequest;
  readonly #services: SchedulerServices;
  readonly #stop: CallStop;
  readonly #emit: (event: CallEvent) => void;
  readonly #onEnd: () => void;
  #state: CallState = { phase: 'received' };
  #title: string;
  #verdict: Verdict | undefined;
  #ranMs = 0;
  #alwaysRules: readonly string[] = [];
  #repairs: readonly string[] = [];
  #word: HookWord | undefined;
  /** What hooks tell the model beside the result. */
  #contexts: readonly string[] = [];
  #ran: PreparedCall | undefined;
  #effects: readonly Effect[] | undefined;
  #effectsKnown: Promise<readonly Effect[]> | undefined;
  #tellEffects: ((effects: readonly Effect[]) => void) | undefined;

  constructor(call: CallRequest, earlier: readonly CallLife[], { services, signal, emit, onEnd }: AroundCall) {
    this.#call = call;
    this.#title = call.toolName;
    this.#services = services;
    this.#stop = services.stops?.take() ?? new CallStop();
    this.#emit = emit;
    this.#onEnd = onEnd;
    if (signal.aborted) this.#stop.stop(signal.reason);
    this.ended = this.#live(earlier);
  }

  /** What the call would do, known once it is valid; nothing for a call that never will run. */
  get effectsKnown(): Promise<readonly Effect[]> {
    this.#effectsKnown ??= new Promise((resolve) => {
      if (this.#effects === undefined) this.#tellEffects = resolve;
      else resolve(this.#effects);
    });
    return this.#effectsKnown;
  }

  /** Ends it soon, as cancelled. What has ended stays as it is. */
  stop(reason: unknown): void {
    if (!this.#hasEnded) this.#stop.stop(reason);
  }

  get #hasEnded(): boolean {
    return this.#state.phase === 'ended';
  }

  async #live(earlier: readonly CallLife[]): Promise<void> {
    const prepared = tryPrepareCall(this.#call, this.#services);
    this.#emitStart(prepared);
    let ending: Ending;
    try {
      ending =
        'failure' in prepared
          ? { status: 'error', result: prepared.failure }
          : await this.#withHooks(prepared, earlier);
    } catch (thrown) {
      ending = this.#stop.isStopped
        ? { status: 'cancelled', result: CANCELLED }
        : { status: 'error', result: resultOfThrown(thrown) };
    }
    // Whoever waits for the effects of a call that never stated any must not wait for ever.
    this.#announce([]);
    await this.#emitEnd(ending);
    this.#onEnd();
  }

  #announce(effects: readonly Effect[]): void {
    if (this.#effects !== undefined) return;
    this.#effects = effects;
    this.#tellEffects?.(effects);
  }

  /** Its life between the hooks before and after it, where there are any. */
  async #withHooks(prepared: PreparedCall, earlier: readonly CallLife[]): Promise<Ending> {
    const { hooks } = this.#services;
    if (hooks === undefined) return this.#carryOut(prepared, earlier);
    const { callId } = this.#call;
    const life = { callId, hooks, services: this.#services, stop: this.#stop, emit: this.#emit };
    let call = prepared;
    if (hooks.looksBefore) {
      const asked = await throughHooks(prepared, life);
      if ('refusal' in asked) return denied(asked.refusal);
      ({ call, word: this.#word, contexts: this.#contexts } = asked);
      this.#title = call.title;
      this.#repairs = call.repairs;
    }
    const ending = await this.#afterHooks(await this.#carryOut(call, earlier), life);
    return { ...ending, result: withContexts(ending.result, this.#contexts) };
  }

  async #afterHooks(ending: Ending, life: HookedLife): Promise<Ending> {
    const { status, result } = ending;
    if (this.#ran === undefined || (status !== 'success' && status !== 'error')) return ending;
    try {
      return { status, result: await afterHooks(this.#ran, { result, effects: this.#effects ?? [] }, life) };
    } catch (thrown) {
      if (!this.#stop.isStopped) throw thrown;
      return { status: 'cancelled', result: NOT_LOOKED_AT };
    }
  }

  async #carryOut(unfilled: PreparedCall, earlier: readonly CallLife[]): Promise<Ending> {
    const prepared = this.#services.secrets === undefined ? unfilled : await fillSecrets(unfilled, this.#services);
    this.#state = advance(this.#state, { phase: 'queued' });
    let stated = await this.#waitForTurn(prepared, earlier);
    let call = prepared;
    let changedSinceApproval = false;
    for (let round = 0; round < MAX_QUESTIONS; round++) {
      const assessment = await this.#assess(call, stated);
      stated = undefined;
      if (assessment.verdict.decision === 'deny') return this.#denied(call, assessment);
      if (assessment.verdict.decision === 'allow') return this.#run(call, assessment.verdict);
      const question = { callId: this.#call.callId, ...call, assessment, changedSinceApproval };
      const answer = await this.#ask(question);
      if ('status' in answer) return answer;
      const modified = await this.#modify(call, answer);
      // An approval holds for what was shown: look again, now that the person took their time (design section 4).
      const again = await this.#assess(call);
      if (again.verdict.decision === 'deny') return this.#denied(call, again);
      const ending =
        again.digest === assessment.digest
          ? await this.#runApproved(modified ?? call, modified === undefined ? undefined : call)
          : undefined;
      if (ending !== undefined) return ending;
      call = rebuilt(prepared, prepared.params);
      changedSinceApproval = true;
    }
    return denied('The file kept changing while approval was asked for. Read it again before you repeat the call.');
  }

  /**
   * Waits until no earlier call of the batch that conflicts is unfinished; looks anew after each, for it may have changed
   * a path. The effects that were stated just now; undefined when a call that is still at work may have changed them.
   */
  async #waitForTurn(call: PreparedCall, earlier: readonly CallLife[]): Promise<readonly Effect[] | undefined> {
    let mine = await this.#effectsOf(call);
    this.#announce(mine);
    if (earlier.length === 0) return mine;
    for (;;) {
      const other = await this.#firstConflict(mine, earlier);
      if (other === undefined) return earlier.every((life) => life.#hasEnded) ? mine : undefined;
      await this.#stop.wait(other.ended);
      mine = await this.#effectsOf(call);
    }
  }

  async #firstConflict(mine: readonly Effect[], earlier: readonly CallLife[]): Promise<CallLife | undefined> {
    for (const other of earlier) {
      if (!other.#hasEnded && conflict(mine, await this.#stop.wait(other.effectsKnown)) && !other.#hasEnded)
        return other;
    }
    return undefined;
  }

  #effectsOf({ tool, invocation, secrets }: PreparedCall): Promise<readonly Effect[]> | readonly Effect[] {
    const effects = this.#unlessStopped(effectsOf(tool, invocation, this.#services, this.#stop));
    if (secrets === undefined || secrets.effects.length === 0) return effects;
    return Promise.resolve(effects).then((own) => [...own, ...secrets.effects]);
  }

  async #assess(call: PreparedCall, stated?: readonly Effect[]): Promise<Assessment> {
    const effects = stated ?? (await this.#effectsOf(call));
    const assessed = this.#unlessStopped(assess({ ...call, word: this.#word }, effects, this.#services, this.#stop));
    const assessment = assessed instanceof Promise ? await assessed : assessed;
    this.#verdict = assessment.verdict;
    return assessment;
  }

  /** Puts the question; an ending when the answer is no, or when there is nobody to ask. */
  async #ask(question: Question): Promise<ApprovalAnswer | Ending> {
    const byHook = await this.#askHooks(question);
    if (byHook !== undefined) return byHook;
    const request = approvalRequest(question, this.#services);
    this.#alwaysRules = request.alwaysRules;
    const { callId } = this.#call;
    this.#state = advance(this.#state, { phase: 'awaiting-approval' });
    this.#emit({ type: 'approval-request', callId, request });
    const { approver } = this.#services;
    const cancel = ToolConfirmationOutcome.Cancel;
    if (approver === undefined) {
      this.#emit({ type: 'approval-answer', callId, outcome: cancel, by: 'nobody' });
      const advice = adviceFor(question.tool.name, question.assessment, this.#services);
      return denied([nobodyToAsk(request.reason, request.alwaysRules), ...advice].join(' '));
    }
    void this.#notify(request.description);
    const answer = await this.#stop.wait(askPerson(approver, request, this.#stop.signal));
    const problem = await applyAnswer(request, answer, this.#services);
    const { outcome, feedback } = answer;
    const rules = grantedRules(request, answer);
    this.#emit({
      type: 'approval-answer',
      callId,
      outcome,
      by: 'person',
      ...(feedback === undefined || feedback === '' ? {} : { feedback }),
      ...(rules.length === 0 ? {} : { rules }),
      ...(problem === undefined ? {} : { problem }),
    });
    return outcome === cancel ? denied(refusedByPerson(feedback, request.details.refused)) : answer;
  }

  /** The answer of hooks in place of the person's; undefined when they leave it to the person. */
  async #askHooks({ tool, params, assessment }: Question): Promise<ApprovalAnswer | Ending | undefined> {
    const { hooks, policyContext } = this.#services;
    const { effects, verdict } = assessment;
    const call = hookedCall(this.#call.callId, { tool, params }, effects, this.#services.secrets);
    const asked = hooks?.ask(call, verdict.reason, this.#stop.signal);
    const said = asked === undefined ? undefined : await this.#stop.wait(asked);
    if (said === undefined) return undefined;
    for (const event of said.events) this.#emit(event);
    this.#contexts = [...this.#contexts, ...said.contexts];
    const refusal = refusalOf(said);
    if (refusal !== undefined) return denied(refusal);
    if (said.decision !== 'allow' || hooks === undefined || effects.some(isForPerson)) return undefined;
    const word = { decision: 'allow', reason: said.reason ?? '' } as const;
    const settled = withHookWord(verdict, word, { mode: policyContext().mode, mayAllow: hooks.mayAllow });
    return settled.decision === 'allow' ? { outcome: ToolConfirmationOutcome.ProceedOnce } : undefined;
  }

  /** Nobody waits for hooks that are only told of the question. */
  async #notify(description: string): Promise<void> {
    try {
      const events = await this.#services.hooks?.notify(`Approval is needed: ${description}`, this.#stop.signal);
      for (const event of events ?? []) if (!this.#hasEnded) this.#emit(event);
    } catch {
      // The call was stopped meanwhile.
    }
  }

  /** The call with the person's own content in it, when they changed it. */
  async #modify(call: PreparedCall, answer: ApprovalAnswer): Promise<PreparedCall | undefined> {
    const { tool, params } = call;
    if (answer.outcome !== ToolConfirmationOutcome.ModifyWithEditor || answer.newContent === undefined)
      return undefined;
    if (!isModifiableTool(tool)) return undefined;
    const context = tool.getModifyContext(this.#stop.signal);
    const current = await context.getCurrentContent(params);
    const content = await ownVersion(answer.newContent, { context, current, params }, this.#services);
    return rebuilt(call, context.createUpdatedParams(current, content, params));
  }

  /** Runs what was approved; undefined when the file changed under it, so that the person is asked again. */
  async #runApproved(call: PreparedCall, original: PreparedCall | undefined): Promise<Ending | undefined> {
    if (original !== undefined) {
      const assessment = await this.#assess(call);
      if (assessment.verdict.decision === 'deny') return this.#denied(call, assessment);
    }
    const ending = await this.#run(call);
    if (ending.result.error?.type === ToolErrorType.FILE_CHANGED) return undefined;
    return original === undefined ? ending : { ...ending, result: withNote(ending.result, MODIFIED_NOTE) };
  }

  #denied({ tool }: PreparedCall, assessment: Assessment): Ending {
    return denied(denialText(tool.name, assessment, this.#services));
  }

  /** `unasked`: the verdict by which it runs without a question. */
  async #run(call: PreparedCall, unasked?: Verdict): Promise<Ending> {
    this.#stop.throwIfStopped();
    if (this.#state.phase !== 'running') this.#state = advance(this.#state, { phase: 'running' });
    const { callId } = this.#call;
    this.#ran = call;
    const startedAt = performance.now();
    const update = (display: ToolResultDisplay): void => {
      if (this.#state.phase === 'running') this.#emit({ type: 'tool-call-update', callId, display });
    };
    const decided = { effects: this.#effects ?? [], ...(unasked !== undefined && { verdict: unasked }) };
    const running = runWithSecrets(call, decided, this.#services, () => executeInvocation(call, this.#stop, update));
    // The tool is at work by now.
    this.#services.stops?.prepare();
    const result = await running;
    this.#ranMs += performance.now() - startedAt;
    // A failure may hold a stranger's words as well.
    this.#services.untrusted?.noteResult(this.#effects ?? []);
    if (result.error === undefined) return { status: 'success', result };
    return { status: result.error.type === ToolErrorType.CANCELLED ? 'cancelled' : 'error', result };
  }

  #emitStart(prepared: PreparedCall | InvalidCall): void {
    const { callId, toolName, argumentsText } = this.#call;
    const { title } = prepared;
    this.#title = title;
    if ('failure' in prepared) {
      const shown = { displayName: prepared.displayName, kind: Kind.Other, title, locations: [], repairs: [] };
      this.#emit({ type: 'tool-call-start', callId, toolName, args: argumentsText, ...shown });
      return;
    }
    const { tool, params, repairs, locations } = prepared;
    this.#repairs = repairs;
    const shown = { displayName: tool.displayName, kind: tool.kind, title, locations, repairs };
    this.#emit({ type: 'tool-call-start', callId, toolName, args: params, ...shown });
  }

  async #emitEnd({ status, result }: Ending): Promise<void> {
    this.#state = advance(this.#state, { phase: 'ended', status });
    const repairs = untoldRepairs(this.#services.toldRepairs, this.#call.toolName, this.#repairs);
    const told = repairs.length === 0 ? result : withNote(result, `Note on the arguments: ${repairs.join(' ')}`);
    const content = contentForModel(told, this.#services, this.#ran?.tool.mostTokens);
    const display = displayOf(result, this.#services);
    const isMarkdown = typeof display === 'string' && result.error === undefined && this.#ran?.tool.isOutputMarkdown;
    this.#emit({
      type: 'tool-call-end',
      callId: this.#call.callId,
      toolName: this.#call.toolName,
      title: this.#title,
      status,
      durationMs: Math.round(this.#ranMs),
      display,
      ...(isMarkdown === true && { isMarkdown }),
      content: content instanceof Promise ? await content : content,
      ...(result.error === undefined ? {} : { error: result.error }),
      ...(result.data === undefined ? {} : { data: result.data }),
      ...(this.#verdict === undefined ? {} : { verdict: this.#verdict }),
      ...(status === 'denied' ? { alwaysRules: this.#alwaysRules } : {}),
    });
  }

  /** What is known at once costs no wait. */
  #unlessStopped<T>(work: Promise<T> | T): Promise<T> | T {
    if (work instanceof Promise) return this.#stop.wait(work);
    this.#stop.throwIfStopped();
    return work;
  }
}

const MODIFIED_NOTE =
  'The user changed the proposed content before it was written. What is in the file now is the user\u2019s version; read it before you edit it again.';

/** It ran, but hooks that should have looked at what it gave did not. */
const NOT_LOOKED_AT = failedResult(
  ToolErrorType.CANCELLED,
  'The call ran, but it was cancelled before the hooks of the user had looked at its result, which is not told.',
);

function denied(message: string): Ending {
  return { status: 'denied', result: failedResult(ToolErrorType.EXECUTION_DENIED, message) };
}

function withNote(result: ToolResult, note: string): ToolResult {
  return { ...result, llmContent: [...toParts(result.llmContent), { text: `\n${note}` }] };
}
