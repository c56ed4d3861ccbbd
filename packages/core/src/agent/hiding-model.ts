import type { ModelPort, ModelRequest } from '../models/model.js';
import type { Secrets } from '../secrets/secrets.js';

type Hider = Pick<Secrets, 'hideIn' | 'version' | 'lookAround'>;

/** The same model, which is told nothing that is a secret: the last look at each request, wherever its texts are from. */
export function hidingModel(model: ModelPort, secrets: Hider | undefined): ModelPort {
  if (secrets === undefined) return model;
  const requests = new HiddenRequests(secrets);
  return {
    get label() {
      return model.label;
    },
    get model() {
      return model.model;
    },
    stream: (request, signal) => {
      const answer = model.stream(requests.hide(request), signal);
      // Calls come with the answer, and what they read may hold secrets.
      void secrets.lookAround();
      return answer;
    },
  };
}

/** Looks at each message once: a conversation is sent again and again. */
class HiddenRequests {
  readonly #secrets: Hider;
  #seen = new WeakMap<object, object>();
  #version = -1;

  constructor(secrets: Hider) {
    this.#secrets = secrets;
  }

  hide(request: ModelRequest): ModelRequest {
    const { version } = this.#secrets;
    if (version !== this.#version) this.#seen = new WeakMap();
    this.#version = version;
    const messages = request.messages.map((message) => this.#once(message));
    const tools = request.tools.map((tool) => this.#once(tool));
    return { ...request, system: this.#secrets.hideIn(request.system), messages, tools };
  }

  #once<T extends object>(part: T): T {
    const seen = this.#seen.get(part);
    if (seen !== undefined) return seen as T;
    const hidden = this.#secrets.hideIn(part);
    this.#seen.set(part, hidden);
    return hidden;
  }
}
