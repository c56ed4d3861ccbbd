import type { HeldTool, PendingPins } from '../mcp/catalog/judge-pins.js';
import type { ToolPins } from '../mcp/catalog/pins-file.js';
import type { Approver } from '../scheduler/approval.js';
import { ToolConfirmationOutcome } from '../tools/confirmation.js';
import { count } from '../util/count.js';

const YES: ReadonlySet<ToolConfirmationOutcome> = new Set([
  ToolConfirmationOutcome.ProceedOnce,
  ToolConfirmationOutcome.ProceedAlways,
  ToolConfirmationOutcome.ProceedAlwaysProject,
]);
/** More questions than this at once help nobody. */
const MOST_ASKED = 5;
/** New tools are let in together, as long as a person can read them. */
const MOST_TOGETHER = 20;

interface Question {
  readonly alias: string;
  readonly held: readonly HeldTool[];
  /** As it is written down: what is agreed to is this and nothing that came since. */
  readonly pending: PendingPins | undefined;
  readonly approver: Approver;
  readonly pins: Pick<ToolPins, 'accept'>;
}

/** What is let in by one answer. */
interface Part {
  readonly first: HeldTool;
  readonly title: string;
  readonly what: string;
  readonly prompt: string;
  readonly reason: string;
  /** As the server calls them; undefined for all that it has. */
  readonly tools: readonly string[] | undefined;
}

/** Asks the person whether held tools may be what they are now: changed ones one by one, new ones together. True when something was accepted. */
export async function askAboutHeld(question: Question, signal: AbortSignal): Promise<boolean> {
  const { alias, held, pending, pins } = question;
  let isAccepted = false;
  for (const part of partsOf(alias, held))
    if (await isAgreed(question, part, signal))
      isAccepted = (await pins.accept(alias, part.tools, pending)) || isAccepted;
  return isAccepted;
}

function partsOf(alias: string, held: readonly HeldTool[]): readonly Part[] {
  const whole = held.find(({ isServer }) => isServer);
  if (whole !== undefined) return [wholePart(alias, whole)];
  const changed = held.filter(({ isNew }) => !isNew).slice(0, MOST_ASKED);
  const added = held.filter(({ isNew }) => isNew).slice(0, MOST_TOGETHER);
  const [first] = added;
  return [
    ...changed.map((one) => changedPart(alias, one)),
    ...(first === undefined ? [] : [newPart(alias, first, added)]),
  ];
}

function wholePart(alias: string, first: HeldTool): Part {
  return {
    first,
    title: first.isNew ? 'Nothing is known of a server' : 'A server changed',
    what: `all tools of the server ${alias} as they are now`,
    prompt: first.change,
    reason: first.isNew
      ? 'what was known of the server cannot be believed'
      : 'it is not what it was when you let it in',
    tools: undefined,
  };
}

function changedPart(alias: string, first: HeldTool): Part {
  const { serverName } = first.tool;
  return {
    first,
    title: 'A tool changed',
    what: `the tool ${serverName} of the server ${alias} as it is now`,
    prompt: first.change,
    reason: 'it is not what it was when you let it in',
    tools: [serverName],
  };
}

function newPart(alias: string, first: HeldTool, added: readonly HeldTool[]): Part {
  return {
    first,
    title: added.length === 1 ? 'A tool is new' : 'Tools are new',
    what: `${count(added.length, 'new tool')} of the server ${alias}`,
    prompt: added.map(({ tool, change }) => `${tool.serverName}\n${change}`).join('\n\n'),
    reason: 'the server did not have it when you let it in',
    tools: added.map(({ tool }) => tool.serverName),
  };
}

async function isAgreed({ alias, approver }: Question, part: Part, signal: AbortSignal): Promise<boolean> {
  const { tool } = part.first;
  const { title, prompt, reason } = part;
  try {
    const { outcome } = await approver(
      {
        callId: `accept-${tool.name}`,
        toolName: tool.name,
        displayName: tool.title,
        description: `Let in ${part.what}`,
        effects: [],
        details: { type: 'mcp', title, serverName: alias, toolName: tool.serverName, prompt },
        reason,
        alwaysRules: [],
        canModify: false,
        changedSinceApproval: true,
      },
      signal,
    );
    return YES.has(outcome);
  } catch {
    return false;
  }
}
