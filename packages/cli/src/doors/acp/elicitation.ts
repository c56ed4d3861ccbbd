import { randomUUID } from 'node:crypto';
import type { CreateElicitationRequest, ElicitationPropertySchema, ElicitationSchema } from '@agentclientprotocol/sdk';
import type { Asker, FormField, PersonQuestion, QuestionAnswer } from '@tenon/core';
import { canAskByForm, canAskByPage, type ClientSession } from './client.js';

const CANCEL: QuestionAnswer = { action: 'cancel' };

/** The questions of servers as the client asks them. Undefined where it asks none: then servers are told so. */
export function createAcpAsker(session: ClientSession): Asker | undefined {
  if (!canAskByForm(session) && !canAskByPage(session)) return undefined;
  return async (question, signal) => {
    // A server that asks while the session is being made: the client does not know that by then.
    if (session.sessionId === '') return CANCEL;
    if (question.kind === 'page' ? !canAskByPage(session) : !canAskByForm(session)) return CANCEL;
    const request = requestOf(question, session.sessionId);
    const answer = await session.context.request('elicitation/create', request, {
      cancellationSignal: signal,
      stopWaitingOnCancel: true,
    });
    if (answer.action === 'decline') return { action: 'decline' };
    if (answer.action !== 'accept') return CANCEL;
    if (request.mode === 'url') {
      const { elicitationId } = request;
      return { action: 'accept', onDone: () => void tellDone(session, String(elicitationId)) };
    }
    if (question.kind !== 'form') return { action: 'accept' };
    const content = 'content' in answer && typeof answer.content === 'object' ? { ...answer.content } : {};
    return { action: 'accept', content };
  };
}

async function tellDone({ context }: ClientSession, elicitationId: string): Promise<void> {
  try {
    await context.notify('elicitation/complete', { elicitationId });
  } catch {
    // The connection is closed; nobody waits for it any more.
  }
}

/** Pure but for the id of a page. */
export function requestOf(question: PersonQuestion, sessionId: string): CreateElicitationRequest {
  const from = `The server "${question.server}" asks`;
  switch (question.kind) {
    case 'form':
      return {
        mode: 'form',
        sessionId,
        message: `${from}: ${question.message}`,
        requestedSchema: schemaOf(question.fields),
      };
    case 'page':
      return {
        mode: 'url',
        sessionId,
        message: `${from} you to open a page: ${question.message}`,
        elicitationId: randomUUID(),
        url: question.url,
      };
    case 'sampling': {
      const what =
        question.stage === 'request' ? `to put this to the model ${question.model}` : 'for this answer of the model';
      const requestedSchema: ElicitationSchema = { type: 'object', properties: {} };
      return { mode: 'form', sessionId, message: `${from} ${what}:\n\n${question.text}`, requestedSchema };
    }
    default:
      return question satisfies never;
  }
}

function schemaOf(fields: readonly FormField[]): ElicitationSchema {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
    ...(required.length > 0 && { required }),
  };
}

function propertyOf(field: FormField): ElicitationPropertySchema {
  const facts = { title: field.label, ...(field.description !== undefined && { description: field.description }) };
  switch (field.kind) {
    case 'text': {
      const { format, minLength, maxLength, default: preset } = field;
      return { type: 'string', ...facts, ...defined({ format, minLength, maxLength, default: preset }) };
    }
    case 'number': {
      const { minimum, maximum, default: preset } = field;
      return {
        type: field.isInteger ? 'integer' : 'number',
        ...facts,
        ...defined({ minimum, maximum, default: preset }),
      };
    }
    case 'yes-no':
      return { type: 'boolean', ...facts, ...defined({ default: field.default }) };
    case 'choice':
      return { type: 'string', ...facts, oneOf: optionsOf(field.options), ...defined({ default: field.default }) };
    case 'choices': {
      const { minItems, maxItems, default: preset } = field;
      const chosen = preset === undefined ? {} : { default: [...preset] };
      return {
        type: 'array',
        ...facts,
        items: { anyOf: optionsOf(field.options) },
        ...defined({ minItems, maxItems }),
        ...chosen,
      };
    }
    default:
      return field satisfies never;
  }
}

function optionsOf(options: readonly { readonly value: string; readonly label: string }[]) {
  return options.map(({ value, label }) => ({ const: value, title: label }));
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
