import { cleanText, cutBytes } from '../../util/clean-text.js';
import { Failure } from '../../util/failure.js';
import type { McpHost, QuestionAnswer, ServerQuestion } from '../mcp-types.js';
import { checkAnswer } from './check-answer.js';
import type { FormField } from './form-field.js';
import { readForm } from './read-form.js';

/** What a person is asked for a server, by its alias. All words but the alias are the server's or a model's own, and clean. */
export type PersonQuestion =
  | { readonly kind: 'form'; readonly server: string; readonly message: string; readonly fields: readonly FormField[] }
  /** To open a page. The address is whole; nothing was asked of it before. */
  | { readonly kind: 'page'; readonly server: string; readonly message: string; readonly url: string }
  /** May the model be asked for the server; then, may the server have its answer. */
  | {
      readonly kind: 'sampling';
      readonly server: string;
      readonly stage: 'request' | 'answer';
      readonly model: string;
      readonly text: string;
    };

/** `decline`: the person says no; `cancel`: they said nothing. Rejects with the signal's reason only. */
export type Asker = (question: PersonQuestion, signal: AbortSignal) => Promise<QuestionAnswer>;

const LONGEST_MESSAGE = 8000;
const LONGEST_ADDRESS = 4000;
/** Of one server. One that asks more at once is not waited for. */
const MOST_AT_ONCE = 5;

export type Log = (alias: string, level: string, text: string) => void;

/** Hands the questions of servers to a person. What cannot be shown to them honestly is cancelled. */
export function askPerson(asker: Asker, log: Log = () => undefined): NonNullable<McpHost['ask']> {
  const open = new Map<string, number>();
  return async (alias, question, signal) => {
    const count = open.get(alias) ?? 0;
    if (count >= MOST_AT_ONCE) return cancelled(alias, log, 'it asks too much at once');
    open.set(alias, count + 1);
    try {
      const asking = { alias, asker, log, signal };
      return await (question.kind === 'form' ? askForm(asking, question) : askPage(asking, question));
    } finally {
      open.set(alias, (open.get(alias) ?? 1) - 1);
    }
  };
}

interface Asking {
  readonly alias: string;
  readonly asker: Asker;
  readonly log: Log;
  readonly signal: AbortSignal;
}

type Form = Extract<ServerQuestion, { kind: 'form' }>;
type Page = Extract<ServerQuestion, { kind: 'url' }>;

async function askForm({ alias, asker, log, signal }: Asking, question: Form): Promise<QuestionAnswer> {
  const form = readForm(question.schema);
  if ('problem' in form) return cancelled(alias, log, form.problem);
  const { fields } = form;
  const answer = await asker({ kind: 'form', server: alias, message: wordsOf(question.message), fields }, signal);
  if (answer.action !== 'accept') return answer;
  const content = answer.content ?? {};
  const problems = checkAnswer(fields, content);
  if (problems.length > 0) throw new Failure('mcp_error', `The answer to ${alias} is not sound: ${problems.join(' ')}`);
  return { action: 'accept', content };
}

async function askPage({ alias, asker, log, signal }: Asking, question: Page): Promise<QuestionAnswer> {
  const url = pageOf(question.url);
  if (url === undefined) return cancelled(alias, log, 'its page has no address that can be opened');
  return asker({ kind: 'page', server: alias, message: wordsOf(question.message), url }, signal);
}

/** As a browser would go there. Undefined for what is no page, or hides who is asked behind a name and password. */
function pageOf(text: string): string | undefined {
  if (text.length > LONGEST_ADDRESS || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  const isPage = (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
  return isPage ? href : undefined;
}

function cancelled(alias: string, log: Log, why: string): QuestionAnswer {
  log(alias, 'warning', `A question of the server was not shown: ${why}.`);
  return { action: 'cancel' };
}

export function wordsOf(text: string): string {
  return cutBytes(cleanText(text, { strict: true }).text.trim(), LONGEST_MESSAGE);
}
