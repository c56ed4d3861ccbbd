import type { ModelPort } from '../models/model.js';

/** Whichever model answers now. */
export class CurrentModel implements ModelPort {
  #model: ModelPort;

  constructor(model: ModelPort) {
    this.#model = model;
  }

  get now(): ModelPort {
    return this.#model;
  }

  set now(model: ModelPort) {
    this.#model = model;
  }

  get label(): string {
    return this.#model.label;
  }

  get model(): string {
    return this.#model.model;
  }

  stream(...[request, signal]: Parameters<ModelPort['stream']>): ReturnType<ModelPort['stream']> {
    return this.#model.stream(request, signal);
  }
}
