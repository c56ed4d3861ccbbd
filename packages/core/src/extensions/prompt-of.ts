import { attachable, readAttached } from '../agent/attachments.js';
import type { Prompt } from '../agent/loop-types.js';
import type { Config } from '../config/config.js';
import type { CallEvent } from '../scheduler/call-events.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import type { Part } from '../tools/tool-result.js';
import type { Extensions } from './open-extensions.js';

/** What goes with a prompt. */
export interface PromptParts {
  readonly attach?: readonly string[];
  readonly content?: readonly Part[];
  readonly endsJobs?: boolean;
}

export interface PromptPlace {
  readonly config: Config;
  readonly extensions: Extensions;
  readonly runCalls: (calls: readonly CallRequest[], signal: AbortSignal) => AsyncIterable<CallEvent>;
}

/** A prompt as the loop takes it: what the person attached is read when it is carried out. */
export function promptOf(text: string, more: PromptParts, { config, extensions, runCalls }: PromptPlace): Prompt {
  const { attach = [], content = [], endsJobs = false } = more;
  const named = attach.map((mention) => ({ mention, resource: extensions.resourceOf(mention) }));
  const wanted = named.filter(({ resource }) => resource === undefined).map(({ mention }) => mention);
  const found = attachable(wanted, config);
  const missed = wanted.filter((mention) => !found.has(mention));
  const resources = named.flatMap(({ resource }) => resource ?? []);
  const prompt = { text, endsJobs };
  if (wanted.length + resources.length + content.length === 0) return prompt;
  const notSent = async (): Promise<readonly string[]> =>
    missed.length === 0 ? [] : (await import('../agent/not-sent.js')).whyNotSent(missed, config);
  const attached = { paths: [...found.values()], resources, content, notSent };
  const services = { runCalls, folder: config.getTargetDir() };
  return { ...prompt, attach: (inner: AbortSignal) => readAttached(attached, services, inner) };
}
