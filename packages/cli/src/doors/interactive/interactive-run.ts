import type { AgentOptions } from '@tenon/core';
import type { Options } from '../../arguments/parse-arguments.js';
import type { ModelEndpoint } from '../../choose-model.js';
import type { Preparation } from '../../prepare-session.js';
import type { Terminal } from '../../ui/terminal.js';
import type { Turnstile } from '../../ui/turnstile.js';

export interface InteractiveRun {
  readonly agent: AgentOptions;
  readonly terminal: Terminal;
  readonly turnstile: Turnstile;
  readonly preparation: Preparation;
  readonly endpoint: ModelEndpoint;
  readonly options: Pick<Options, 'plain' | 'screenReader' | 'theme'>;
}
