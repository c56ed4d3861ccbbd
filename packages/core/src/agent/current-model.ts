import type { ModelPort } from '../models/model.js';
import type { Secrets } from '../secrets/secrets.js';
import { hidingModel } from './hiding-model.js';

/** Whichever model answers now; it is told no secrets. */
export class CurrentModel implements ModelPort {
  readonly #secrets: Secrets | undefined;
  #model: ModelPort;
  #hiding: ModelPort;

  constructor(model: ModelPort, secrets?: Secrets) {
    this.#secrets = secrets;
    this.#model = model;
    this.#hiding = hidingModel(model, secrets);
  }

  /** As it was handed in. */
  get now(): ModelPort {
    return this.#model;
  }

  set now(model: ModelPort) {
    this.#model = model;
    this.#hiding = hidingModel(model, this.#secrets);
  }

  /** The one that answers now, for those who keep it. */
  get hiding(): ModelPort {
    return this.#hiding;
  }

  get label(): string {
    return this.#model.label;
  }

  get model(): string {
    return this.#model.model;
  }

  stream(...[request, signal]: Parameters<ModelPort['stream']>): ReturnType<ModelPort['stream']> {
    return this.#hiding.stream(request, signal);
  }
}
