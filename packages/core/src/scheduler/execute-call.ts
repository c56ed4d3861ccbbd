import { ToolErrorType } from '../tools/tool-error.js';
import { failedResult, toParts, type Part, type ToolResult, type ToolResultDisplay } from '../tools/tool-result.js';
import { resultOfThrown, type UpdateOutput } from '../tools/tools.js';
import { fitToBudget, isSurelyWithin } from '../output/budget.js';
import { ToolNames } from '../tools/tool-names.js';
import { sleep } from '../util/abort.js';
import { errorMessage } from '../util/failure.js';
import type { CallStop } from './call-stop.js';
import type { PreparedCall } from './prepare-call.js';
import type { OutputLimits, SchedulerServices } from './services.js';
import { soundResult } from './sound-result.js';

/** How long a cancelled tool may take to clean up before its call ends without it. */
const CANCEL_GRACE_MS = 3_000;

/** What a person is shown at most of a result's text; the whole of it is in what the model got or in its file. */
const MAX_DISPLAY_CHARS = 100_000;

export const CANCELLED: ToolResult = failedResult(
  ToolErrorType.CANCELLED,
  'The call was cancelled by the user before it finished.',
);

/** Runs an invocation to its end. Never throws; a cancelled one always ends, whether the tool listens or not. */
export async function executeInvocation(
  call: Executed,
  stop: Pick<CallStop, 'signal' | 'wait'>,
  update: UpdateOutput,
): Promise<ToolResult> {
  const running = execute(call, stop.signal, update);
  try {
    return await stop.wait(running);
  } catch {
    const late = sleep(CANCEL_GRACE_MS, new AbortController().signal).then(() => CANCELLED);
    return Promise.race([running, late]);
  }
}

type Executed = Pick<PreparedCall, 'invocation' | 'tool' | 'context'>;

/** Never rejects: what is thrown is the result, also before the first promise. */
async function execute(
  { invocation, tool, context }: Executed,
  signal: AbortSignal,
  update: UpdateOutput,
): Promise<ToolResult> {
  try {
    return soundResult(await invocation.execute(signal, tool.canUpdateOutput ? update : undefined, context), tool.name);
  } catch (thrown) {
    return resultOfThrown(thrown);
  }
}

type ResultServices = Pick<SchedulerServices, 'secrets' | 'limits' | 'spill'>;

/** Fits a result into the budgets of session and tool before the model gets it. Synchronous if the result is short. */
export function contentForModel(
  result: ToolResult,
  services: ResultServices,
  mostTokens = Infinity,
): Promise<readonly Part[]> | readonly Part[] {
  // Before anything of it is cut: half of a secret would not be known again.
  const content = toParts(services.secrets?.hideIn(result.llmContent) ?? result.llmContent);
  const limits = { ...services.limits, maxTokens: Math.min(services.limits.maxTokens, mostTokens) };
  return isSurelyWithin(content, limits) ? content : fittedContent(content, limits, services);
}

async function fittedContent(
  content: readonly Part[],
  limits: OutputLimits,
  services: ResultServices,
): Promise<readonly Part[]> {
  const request = {
    content,
    ...limits,
    spill: services.spill,
    openWith: [ToolNames.READ_FILE, ToolNames.GREP],
  };
  try {
    return await fitToBudget(request);
  } catch (thrown) {
    // The file could not be written (a full disk): then the model gets what fits, and is told.
    const lost = async (): Promise<string> => `(it could not be saved: ${errorMessage(thrown)})`;
    return fitToBudget({ ...request, spill: lost });
  }
}

/** The result as the person gets it; derived from what the model is told when the tool gave none (K7). */
export function displayOf(result: ToolResult, { secrets }: Pick<SchedulerServices, 'secrets'>): ToolResultDisplay {
  const display = result.returnDisplay ?? toParts(result.llmContent).map(textOf).join('\n');
  if (typeof display !== 'string' || display.length <= MAX_DISPLAY_CHARS) return display;
  // Hidden before it is cut, as above.
  const text = secrets?.hide(display) ?? display;
  return `${text.slice(0, MAX_DISPLAY_CHARS)}\n[${text.length - MAX_DISPLAY_CHARS} more characters are not shown]`;
}

function textOf(part: Part): string {
  return 'text' in part ? part.text : `[${part.inlineData.mimeType}]`;
}
