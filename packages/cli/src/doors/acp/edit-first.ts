import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk';
import { errorMessage, type ApprovalRequest } from '@tenon/core';
import type { Exits } from '../../exits.js';
import { makeProposalFile, proposalOf, type ProposalFile } from '../../proposal.js';
import { shownText } from './buffer-text.js';
import { textContent } from './call-content.js';
import type { ClientSession } from './client.js';
import type { ClientPaths } from './client-paths.js';
import { inTime } from './in-time.js';
import { editedChoices, type Choice } from './permission-choices.js';

export interface EditFirstOptions {
  readonly session: ClientSession;
  readonly paths: ClientPaths;
  /** Of the system: the file is in no project, so that neither git nor a build sees it. */
  readonly tempFolder: string;
  readonly exits: Pick<Exits, 'register'>;
}

/** A question about a call, put to the person while they have the proposal before them. */
export interface EditQuestion {
  readonly choices: readonly Choice[];
  /** What stands above what the call would do. */
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
}

export interface Editing {
  readonly request: ApprovalRequest;
  readonly toolCallId: string;
  readonly canSayWhy: boolean;
  readonly signal: AbortSignal;
  /** Undefined: the question was closed. */
  readonly ask: (question: EditQuestion) => Promise<Choice | undefined>;
}

/** `mine`: the person's version, which is another than the proposal. `back`: why they could not make one. */
export type Edited =
  | { readonly kind: 'mine'; readonly text: string }
  | { readonly kind: 'back'; readonly notice: string }
  | { readonly kind: 'chosen'; readonly choice: Choice | undefined };

/** Puts a proposal into a file that the person can change in their editor, and asks which version counts. The file goes again, whatever comes. */
export async function editFirst(editing: Editing, options: EditFirstOptions): Promise<Edited> {
  const { request, signal } = editing;
  const proposal = proposalOf(request);
  if (proposal === undefined) return { kind: 'back', notice: 'There is nothing to edit.' };
  let made: ProposalFile;
  try {
    made = await makeProposalFile(proposal, options.tempFolder);
  } catch (thrown) {
    return { kind: 'back', notice: `The proposal could not be put into a file: ${errorMessage(thrown)}.` };
  }
  const takeOff = options.exits.register(() => rmSync(made.folder, { recursive: true, force: true }));
  const leave = followed(editing, made.file, options);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await giveToEditor(made.file, proposal.text, options);
    signal.throwIfAborted();
    return await askForVersion(editing, { file: made.file, before: proposal.text }, options);
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
    await made.remove();
    takeOff();
  }
}

/** The call is shown as being at the file, until what is returned is called: then it is where it was. */
function followed({ request, toolCallId }: Editing, file: string, { session, paths }: EditFirstOptions): () => void {
  const { details } = request;
  const path = details.type === 'edit' ? details.filePath : undefined;
  const tell = (locations: ToolCallLocation[]): void =>
    void session.update({ sessionUpdate: 'tool_call_update', toolCallId, locations });
  tell([{ path: paths.toClient(file) }]);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    tell(path === undefined ? [] : [{ path: paths.toClient(path) }]);
  };
}

interface OpenFile {
  readonly file: string;
  /** The proposal. */
  readonly before: string;
}

async function askForVersion(editing: Editing, open: OpenFile, options: EditFirstOptions): Promise<Edited> {
  const { request, canSayWhy, ask } = editing;
  const path = options.paths.toClient(open.file);
  const question = {
    choices: editedChoices(request, canSayWhy),
    locations: [{ path }],
  };
  const where = `The proposal is in [${path}](${pathToFileURL(path).href}). Change it there and save it; then “Use my version” takes what the file says.`;
  let notice = '';
  for (;;) {
    const choice = await ask({ ...question, content: [textContent(`${notice}${where}`)] });
    if (choice?.next !== 'mine') return { kind: 'chosen', choice };
    const text = await versionIn(open, options);
    if (text === undefined) return { kind: 'back', notice: 'The file is gone, so there is no version of yours.' };
    if (request.details.type === 'plan' && text.trim() === '') notice = 'An empty plan is none. ';
    else if (text !== open.before) return { kind: 'mine', text };
    else notice = 'Nothing was changed yet. ';
  }
}

/** It is on the disk already: an editor that does not take it, because it is in no folder that is open there, can open it still. */
async function giveToEditor(file: string, content: string, { session, paths }: EditFirstOptions): Promise<void> {
  if (session.capabilities.fs?.writeTextFile !== true) return;
  const request = { sessionId: session.sessionId, path: paths.toClient(file), content };
  try {
    await inTime((options) => session.context.request('fs/write_text_file', request, options));
  } catch {
    // As said.
  }
}

async function versionIn({ file, before }: OpenFile, options: EditFirstOptions): Promise<string | undefined> {
  const [disk, buffer] = await Promise.all([
    readFile(file, 'utf8').catch(() => undefined),
    bufferOf(file, options).catch(() => undefined),
  ]);
  return shownText({ before, disk, buffer });
}

async function bufferOf(file: string, { session, paths }: EditFirstOptions): Promise<string | undefined> {
  if (session.capabilities.fs?.readTextFile !== true) return undefined;
  const request = { sessionId: session.sessionId, path: paths.toClient(file) };
  const { content } = await inTime<{ readonly content: string }>((options) =>
    session.context.request('fs/read_text_file', request, options),
  );
  return content;
}
