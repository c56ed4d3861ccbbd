import type { McpHost } from '../mcp/mcp-types.js';
import type { News } from './news.js';

type Ask = NonNullable<McpHost['ask']>;

/** Of all servers. What is older than that is forgotten: servers need not tell that a page is done. */
const MOST_OPEN = 100;

/** Pages of servers that the person went to, until the server says that they are done: then who waits for that is told. */
export class PageWatch {
  readonly #open = new Map<string, () => void>();
  readonly #news: () => Pick<News, 'tell' | 'noteForModel'>;

  constructor(news: () => Pick<News, 'tell' | 'noteForModel'>) {
    this.#news = news;
  }

  /** `ask`, with what it is agreed to kept. */
  watching(ask: Ask): Ask {
    return async (alias, question, signal) => {
      const answer = await ask(alias, question, signal);
      if (question.kind !== 'url' || answer.action !== 'accept') return answer;
      const { onDone = () => undefined, ...told } = answer;
      if (question.id !== '') this.#keep(alias, question.id, onDone);
      return told;
    };
  }

  /** A server's word counts once, and for a page that the person went to. */
  readonly done = (alias: string, id: string): void => {
    const onDone = this.#open.get(key(alias, id));
    if (onDone === undefined) return;
    this.#open.delete(key(alias, id));
    onDone();
    const news = this.#news();
    news.tell(`The server "${alias}" says that its page is done.`);
    news.noteForModel(
      `[The server "${alias}" says that the page is done that it had the user open. What needed it can be tried again.]`,
    );
  };

  #keep(alias: string, id: string, onDone: () => void): void {
    this.#open.set(key(alias, id), onDone);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
  }
}

function key(alias: string, id: string): string {
  return JSON.stringify([alias, id]);
}
