import { listWorkspaceFiles, type Agent, type Config } from '@tenon/core';
import type { EditText } from '../edit-text.js';
import type { Stage } from '../screen/stage.js';
import { FileOffers } from './complete/file-offers.js';
import { ResourceOffers } from './complete/resource-offers.js';
import { Composer } from './composer.js';
import type { ComposerOptions } from './composer-options.js';
import type { PromptHistory } from './history/prompt-history.js';

/** What the composer knows of the workspace. */
export type ComposerAgent = Pick<Agent, 'servers'> & {
  readonly config: Pick<Config, 'getSearchIndex' | 'getWorkspaceGate'>;
};

export interface ComposerParts extends Omit<ComposerOptions, 'theme' | 'redraw' | 'mentions' | 'edit'> {
  /** Undefined until it is ready: until then nothing is offered. */
  readonly agent: () => ComposerAgent | undefined;
  readonly history: PromptHistory;
  readonly stage: Pick<Stage, 'theme' | 'redraw' | 'lend'>;
  readonly editText: EditText;
  /** Ends what is done in the background, and an editor that is open. */
  readonly signal: AbortSignal;
}

/** The composer of a session: files and resources of the agent behind `@`, and the person's editor. */
export function openComposer({ agent, stage, editText, signal, ...options }: ComposerParts): Composer {
  const list = async (end: AbortSignal): Promise<{ readonly paths: readonly string[] }> => {
    const config = agent()?.config;
    return config === undefined ? { paths: [] } : listWorkspaceFiles(config, end);
  };
  const files = new FileOffers({ list, signal });
  const resources = new ResourceOffers(() => agent()?.servers?.servers ?? []);
  const composer = new Composer({
    ...options,
    theme: () => stage.theme(),
    redraw: () => stage.redraw(),
    mentions: [files.find, resources.find],
    edit: async (text) => stage.lend(async () => editText(text, 'prompt.md', signal)),
  });
  files.onNews(() => composer.refresh());
  return composer;
}
