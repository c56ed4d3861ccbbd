import type { Client, ClientCapabilities } from '@modelcontextprotocol/client';
import type { McpHost, QuestionAnswer, ServerQuestion } from '../mcp-types.js';
import type { ServerDefinition } from '../server-definition.js';
import type { WireObject } from './wire-message.js';
import { isObject } from '../../util/is-object.js';

/** `hold` tells that the server waits for the person; what it returns tells that it does not any more. */
export interface QuestionParts {
  readonly definition: ServerDefinition;
  readonly host: McpHost;
  readonly hold: () => () => void;
}

type Answer = (params: WireObject, signal: AbortSignal) => Promise<WireObject>;

const TASKS = 'io.modelcontextprotocol/tasks';

/** What this client does for the server. Nothing is declared that would then be refused. */
export function capabilitiesFor({ definition, host }: QuestionParts, isNewer: boolean): ClientCapabilities {
  return {
    roots: { listChanged: true },
    ...(host.ask === undefined ? {} : { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(definition.sampling && host.sample !== undefined ? { sampling: {} } : {}),
    ...(isNewer ? { extensions: { [TASKS]: {} } } : {}),
  };
}

/** By method, for what is asked in a request of its own as well as in the answer to a call. */
export function questionAnswers({ definition: { alias, sampling }, host, hold }: QuestionParts): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  answers.set('roots/list', async () => ({ roots: host.roots().map(({ uri, name }) => ({ uri, name })) }));
  const held =
    (answer: Answer): Answer =>
    async (params, signal) => {
      const release = hold();
      try {
        return await answer(params, signal);
      } finally {
        release();
      }
    };
  const { ask, sample } = host;
  if (ask !== undefined) {
    answers.set(
      'elicitation/create',
      held(async (params, signal) => answerObject(await ask(alias, questionOf(params), signal))),
    );
  }
  if (sampling && sample !== undefined) {
    answers.set(
      'sampling/createMessage',
      held(async (params, signal) => ({ ...(await sample(alias, params, signal)) })),
    );
  }
  return answers;
}

/** Before the client connects. */
export function registerAnswers(client: Client, answers: ReadonlyMap<string, Answer>): void {
  const roots = answers.get('roots/list');
  // The SDK has a type for each result; it checks what it gets and refuses for us.
  if (roots !== undefined) {
    client.setRequestHandler('roots/list', (request, context) =>
      typed(roots(paramsOf(request), context.mcpReq.signal)),
    );
  }
  const ask = answers.get('elicitation/create');
  if (ask !== undefined) {
    client.setRequestHandler('elicitation/create', (request, context) =>
      typed(ask(paramsOf(request), context.mcpReq.signal)),
    );
  }
  const sample = answers.get('sampling/createMessage');
  if (sample !== undefined) {
    client.setRequestHandler('sampling/createMessage', (request, context) =>
      typed(sample(paramsOf(request), context.mcpReq.signal)),
    );
  }
}

function typed(answer: Promise<WireObject>): Promise<never> {
  return answer as Promise<unknown> as Promise<never>;
}

function paramsOf({ params }: { readonly params?: unknown }): WireObject {
  return isObject(params) ? params : {};
}

/** Older servers name no mode, and mean a form. */
export function questionOf(params: WireObject): ServerQuestion {
  const message = typeof params['message'] === 'string' ? params['message'] : '';
  const { url, elicitationId, requestedSchema } = params;
  if (params['mode'] === 'url' && typeof url === 'string') {
    return { kind: 'url', message, url, id: typeof elicitationId === 'string' ? elicitationId : '' };
  }
  return {
    kind: 'form',
    message,
    schema: isObject(requestedSchema) ? requestedSchema : { type: 'object', properties: {} },
  };
}

function answerObject(answer: QuestionAnswer): WireObject {
  if (answer.action !== 'accept') return { action: answer.action };
  return { action: 'accept', ...(answer.content === undefined ? {} : { content: { ...answer.content } }) };
}
