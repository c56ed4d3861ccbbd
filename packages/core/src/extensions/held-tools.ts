import type { HeldTool, PendingPins } from '../mcp/catalog/judge-pins.js';
import type { ToolPins } from '../mcp/catalog/pins-file.js';
import type { Approver } from '../scheduler/approval.js';
import { ToolConfirmationOutcome } from '../tools/confirmation.js';

const YES: ReadonlySet<ToolConfirmationOutcome> = new Set([
  ToolConfirmationOutcome.ProceedOnce,
  ToolConfirmationOutcome.ProceedAlways,
  ToolConfirmationOutcome.ProceedAlwaysProject,
]);
/** More questions than this at once help nobody. */
const MOST_ASKED = 5;

interface Question {
  readonly alias: string;
  readonly held: readonly HeldTool[];
  /** As it is written down: what is agreed to is this and nothing that came since. */
  readonly pending: PendingPins | undefined;
  readonly approver: Approver;
  readonly pins: Pick<ToolPins, 'accept'>;
}

/** Asks the person tool by tool whether it may be what it is now. True when something was accepted. */
export async function askAboutHeld(question: Question, signal: AbortSignal): Promise<boolean> {
  const { alias, held, pending, approver, pins } = question;
  const isWhole = held.some(({ isServer }) => isServer);
  let isAccepted = false;
  for (const one of isWhole ? held.slice(0, 1) : held.slice(0, MOST_ASKED)) {
    if (await isAgreed(alias, one, { approver, isWhole }, signal))
      isAccepted = (await pins.accept(alias, isWhole ? undefined : one.tool.serverName, pending)) || isAccepted;
  }
  return isAccepted;
}

async function isAgreed(
  alias: string,
  { tool, change }: HeldTool,
  { approver, isWhole }: { readonly approver: Approver; readonly isWhole: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  const what = isWhole ? `all tools of the server ${alias}` : `the tool ${tool.serverName} of the server ${alias}`;
  try {
    const { outcome } = await approver(
      {
        callId: `accept-${tool.name}`,
        toolName: tool.name,
        displayName: tool.title,
        description: `Let in ${what} as ${isWhole ? 'they are' : 'it is'} now`,
        effects: [],
        details: { type: 'mcp', title: 'A tool changed', serverName: alias, toolName: tool.serverName, prompt: change },
        reason: 'it is not what it was when you let it in',
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
