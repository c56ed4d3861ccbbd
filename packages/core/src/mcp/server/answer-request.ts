import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { Failure } from '../../util/failure.js';
import { approvalForm, approvalReply, fieldsReply } from './approval-form.js';
import { canAsk, capabilitiesOf, type ClientFolders } from './client-folders.js';
import { paceProgress, type Progress } from './pace-progress.js';
import type {
  ApprovalQuestion,
  ApprovalReply,
  CallSurroundings,
  ServedResult,
  ServedWorkspace,
} from './served-tools.js';
import { stateOf, type Asking, type ClientConnection, type RoundState, type Serving } from './serving.js';

/** A client that sends more at once has lost count. */
const MOST_AT_ONCE = 1_000;
const APPROVAL_KEY = 'approval';

export interface Connection {
  readonly serving: Serving;
  readonly client: ClientConnection;
  readonly server: Server;
  readonly folders: ClientFolders;
}

/** `result` of the work, or what the client must be asked before it can be done. */
export type Answer = { readonly result: ServedResult } | { readonly asking: Asking };

type Work = (workspace: ServedWorkspace, surroundings: CallSurroundings) => Promise<ServedResult>;

/**
 * Does one request's work in the client's workspace. The work runs from its beginning in each round of a request; one
 * that parked a question has done nothing yet, by contract, and its result is thrown away.
 */
export async function answerRequest(connection: Connection, context: ServerContext, work: Work): Promise<Answer> {
  const { serving } = connection;
  if (serving.running.size >= MOST_AT_ONCE) {
    return failed(`${MOST_AT_ONCE} calls are under way already. Wait for some of them to end, then try again.`);
  }
  const ticket = {};
  serving.running.add(ticket);
  try {
    return await inWorkspace(connection, context, work);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    await context.mcpReq.log('warning', thrown.message, 'tenon').catch(() => undefined);
    return failed(thrown.message);
  } finally {
    serving.running.delete(ticket);
  }
}

async function inWorkspace(connection: Connection, context: ServerContext, work: Work): Promise<Answer> {
  const { serving, client, folders } = connection;
  const told = await folders.of(context);
  if ('asking' in told) return told;
  const workspace = await serving.tools.open({
    owner: client.owner,
    ...(told.roots !== undefined && { roots: told.roots }),
  });
  const progress = progressOf(context);
  const questions = new Questions(connection, context);
  try {
    const result = await work(workspace, {
      signal: context.mcpReq.signal,
      onProgress: progress.tell,
      ask: (question) => questions.ask(question),
    });
    const { parked } = questions;
    if (parked === undefined) return { result };
    const state: RoundState = {
      digest: parked.digest,
      progress: progress.last(),
      ...(told.roots !== undefined && { roots: told.roots }),
    };
    return { asking: await questions.form(parked, state) };
  } finally {
    progress.end();
  }
}

/** The questions of one round: the answer to the one that was put before, if it is the same still. */
class Questions {
  readonly #connection: Connection;
  readonly #context: ServerContext;
  #parked: ApprovalQuestion | undefined;

  constructor(connection: Connection, context: ServerContext) {
    this.#connection = connection;
    this.#context = context;
  }

  get parked(): ApprovalQuestion | undefined {
    return this.#parked;
  }

  ask(question: ApprovalQuestion): ApprovalReply {
    const { server, serving } = this.#connection;
    if (!canAsk(capabilitiesOf(server, this.#context))) return 'nobody';
    const answer = serving.sdk.inputResponse(this.#context.mcpReq.inputResponses, APPROVAL_KEY);
    // What the person saw is what is decided on: a question that changed since is a new one.
    if (stateOf(this.#context).digest === question.digest && answer.kind === 'elicit') {
      if (question.fields !== undefined) return fieldsReply(answer.action, answer.content);
      const reply = approvalReply(answer.action, answer.content);
      return reply === 'session' && !this.#lasts(question) ? 'once' : reply;
    }
    this.#parked = question;
    return 'parked';
  }

  async form(question: ApprovalQuestion, state: RoundState): Promise<Asking> {
    const { serving } = this.#connection;
    const { inputRequired } = serving.sdk;
    const form = approvalForm(question, this.#lasts(question));
    return inputRequired({
      inputRequests: { [APPROVAL_KEY]: inputRequired.elicit(form) },
      requestState: await serving.codec.mint(state, this.#context),
    });
  }

  #lasts(question: ApprovalQuestion): boolean {
    return this.#connection.client.isLasting && question.canLast;
  }
}

/** Only where the client gave a token for it. */
function progressOf(context: ServerContext): Progress {
  const { _meta, notify } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return paceProgress(undefined, 0);
  return paceProgress((progress, message) => {
    const params = { progressToken, progress, message };
    // A client that is gone is noticed elsewhere.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }, stateOf(context).progress);
}

function failed(message: string): Answer {
  return { result: { parts: [{ text: message }], isError: true } };
}
