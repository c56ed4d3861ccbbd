import { Failure } from '../util/failure.js';

/** An agent does one thing at a time. */
export class OneAtATime {
  #isBusy = false;

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** The function that is given back ends it. @throws Failure `agent_busy` */
  begin(): () => void {
    if (this.#isBusy)
      throw new Failure(
        'agent_busy',
        'This agent is working on a prompt. Wait for its end, or cancel it, before the next.',
      );
    this.#isBusy = true;
    return () => {
      this.#isBusy = false;
    };
  }
}
