import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, Failure, SETTINGS, type LoggedEvent, type SettingValues } from '@tenon/core';
import { doctorLines } from '../../../doctor/doctor-view.js';
import { runDoctor } from '../../../doctor/run-doctor.js';
import type { CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { say } from './lines.js';

/** Of the session, what went wrong last. */
const MOST_PROBLEMS = 20;

/** `/bug [WORDS]`: a report as a Markdown file. Nothing is sent anywhere, and nothing of what was said stands in it. */
export const bugCommand: CommandBody = {
  run: async (typed, context) => {
    const { preparation, surroundings, signal, agent } = context;
    const findings = await runDoctor(surroundings, preparation, signal);
    const text = bugReport({
      words: typed,
      facts: doctorLines(findings, false),
      settings: settingLines(preparation.settings.values),
      problems: problemLines(agent.history),
      model: agent.model.label,
      mode: agent.config.getApprovalMode(),
      log: agent.sessionFile,
    });
    const file = path.join(preparation.roots[0], `tenon-bug-${randomUUID().slice(0, 8)}.md`);
    await writeNew(file, hidden(text, context));
    return say(
      `The report is in ${file}. Nothing was sent. Read it before you share it; the log of the session (${agent.sessionFile}) holds all that was said and is not part of it.`,
    );
  },
};

export interface BugFacts {
  readonly words: string;
  readonly facts: readonly string[];
  readonly settings: readonly string[];
  readonly problems: readonly string[];
  readonly model: string;
  readonly mode: string;
  readonly log: string;
}

/** Pure. */
export function bugReport({ words, facts, settings, problems, model, mode, log }: BugFacts): string {
  const listed = (lines: readonly string[]): string =>
    lines.length === 0 ? 'none' : ['```', ...lines.map((line) => line.replaceAll('```', "'''")), '```'].join('\n');
  return [
    '# Bug report',
    '## What happened',
    words === '' ? '(what you did, what you expected, what came instead)' : words,
    '## Session',
    `- model: ${model}\n- mode: ${mode}\n- log (not attached): ${log}`,
    '## This machine',
    listed(facts),
    '## Settings',
    listed(settings),
    '## What went wrong last',
    listed(problems),
    '',
  ].join('\n\n');
}

/** Names that a person chose freely, and what may hold a secret: only that it is set is told. */
const HIDDEN: ReadonlySet<string> = new Set([
  'text',
  'url',
  'header-map',
  'named-objects',
  'json-object',
  'rules',
  'texts',
  'hosts',
]);

/** What is set, with values only where they are one of a few words or a number. Pure. */
export function settingLines(values: SettingValues): readonly string[] {
  return Object.entries(values).map(([key, found]) => {
    const type = SETTINGS.find((setting) => setting.key === key)?.type ?? 'text';
    const shown = key === 'model.name' || !HIDDEN.has(type) ? JSON.stringify(found.value) : '(set)';
    return `${key}: ${shown} (${found.origin.split(' (', 1)[0] ?? ''})`;
  });
}

/** Failures and warnings, without what was said, read or run. Pure. */
export function problemLines(history: readonly LoggedEvent[]): readonly string[] {
  const lines = history.flatMap(({ time, event }): string[] => {
    if (event.type === 'notice' && event.level === 'warning') return [`${time} ${event.text}`];
    if (event.type === 'model-retry') return [`${time} the model was asked again: ${event.reason}`];
    if (event.type === 'prompt-end' && event.stopReason !== 'completed' && event.stopReason !== 'cancelled')
      return [`${time} stopped (${event.stopReason}): ${event.message ?? ''}`];
    if (event.type === 'tool-call-end' && event.error !== undefined)
      return [`${time} ${event.toolName} failed: ${event.error.type}`];
    return [];
  });
  return lines.slice(-MOST_PROBLEMS);
}

/** Longest first, so that no part of one is left. Shorter values would tear holes into words. */
const SHORTEST_SECRET = 6;

/** Without where the person's home is, and without secrets and keys of the environment, wherever a message may have them. */
function hidden(text: string, { agent, surroundings: { env, userHome } }: CommandContext): string {
  const secrets = Object.entries(env)
    .filter(([name]) => /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(name))
    .flatMap(([, value = '']) => (value.length < SHORTEST_SECRET ? [] : [value]))
    .toSorted((a, b) => b.length - a.length);
  const known = agent.hideSecrets(text);
  const plain = secrets.reduce((shown, secret) => shown.replaceAll(secret, '(hidden)'), known);
  return userHome.length > 1 ? plain.replaceAll(userHome, '~') : plain;
}

/** @throws Failure `not_written` */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    throw new Failure('not_written', `${file} could not be written: ${errorMessage(thrown)}`, { cause: thrown });
  }
}
