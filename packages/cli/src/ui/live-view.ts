import { createPainter, joinSafe, safeText, shortenText, type AgentEvent, type Painter, type Safe } from '@tenon/core';
import type { Output } from '../output.js';
import { secondsText } from './amounts.js';
import { createCallView } from './call-view.js';
import { hookLine } from './hook-line.js';
import { jobLine } from './job-line.js';
import { createRefusals } from './refusals.js';
import { safeBlock, safeLine } from './safe-lines.js';
import { createSteadyText } from './steady-text.js';
import { createSubagentView } from './subagent-view.js';
import type { Turnstile } from './turnstile.js';

/** Rows of the terminal that a line about a failure may take. */
const FAILURE_ROWS = 4;

export interface LiveViewOptions {
  /** Where the model's words go when it is a terminal. */
  readonly out: Output;
  /** Where everything else goes. */
  readonly err: Output;
  readonly turnstile: Turnstile;
  readonly quiet: boolean;
}

/** Shows a run as it happens: the words, the calls, what they changed. */
export interface LiveView {
  onEvent(event: AgentEvent): Promise<void>;
}

/** What is written where, and where lines begin. */
function createLines({ out, err, quiet }: Pick<LiveViewOptions, 'out' | 'err' | 'quiet'>, paint: Painter) {
  const steady = createSteadyText();
  let lineOpen = false;

  const print = async (text: string): Promise<void> => {
    const safe = safeBlock(text);
    await out.write(safe);
    if (safe !== '') lineOpen = !safe.endsWith('\n');
  };

  const closeLine = async (): Promise<void> => {
    await print(steady.flush());
    if (lineOpen) await out.write(safeText`\n`);
    lineOpen = false;
  };

  const say = async (text: Safe): Promise<void> => {
    await closeLine();
    if (!quiet) await err.write(safeText`${text}\n`);
  };

  return {
    /** Words of the model as they come. */
    stream: async (text: string) => print(steady.push(text)),
    closeLine,
    say,
    /** What could fill the screen by itself: a line too long for it, or for so many rows of it, says less than none. */
    sayCall: async (text: Safe | undefined, rows = 1): Promise<void> => {
      if (text !== undefined) await say(joinSafe(shortenText(text, Infinity, rows * err.columns()), safeText`\n`));
    },
    sayNews: async ({ text, isWarning }: NewsLine): Promise<void> => {
      if (text !== '') await say(paint(isWarning ? 'yellow' : 'dim', safeBlock(text)));
    },
  };
}

export function createLiveView(options: LiveViewOptions): LiveView {
  const { out, err, turnstile } = options;
  const paint = createPainter(err.colors);
  const refusals = createRefusals();
  const calls = createCallView(paint, refusals);
  const subagents = createSubagentView(paint);
  const { stream, closeLine, say, sayCall, sayNews } = createLines(options, paint);

  const show = async (event: AgentEvent): Promise<void> => {
    switch (event.type) {
      case 'text-delta':
        return out.isTerminal ? stream(event.text) : undefined;
      case 'assistant-message': {
        // Without a terminal on stdout only the last words go there; what is said on the way is progress.
        const progress = out.isTerminal ? '' : wordsBeforeCalls(event);
        return progress === '' ? undefined : say(safeBlock(progress));
      }
      case 'model-retry':
      case 'notice':
      case 'hook-run':
      case 'compaction':
      case 'model-change':
        return sayNews(newsOf(event));
      case 'approval-answer':
        refusals.onEvent(event);
        return event.problem === undefined ? undefined : say(paint('yellow', safeBlock(event.problem)));
      case 'tool-call-start':
        return sayCall(calls.start(event));
      case 'tool-call-update':
        return subagents.worksFor(event.callId) ? undefined : sayCall(calls.update(event));
      case 'tool-call-end':
        // Why something failed stands in one long line.
        return sayCall(calls.end(event), event.status === 'success' ? 1 : FAILURE_ROWS);
      case 'job-end':
      case 'job-wait':
        return sayCall(paint('dim', safeLine(jobLine(event))));
      case 'subagent-start':
      case 'subagent-event':
      case 'subagent-end':
        return sayCall(subagents.line(event));
      case 'turn-end':
      case 'prompt-end':
        return closeLine();
      // Questions show themselves, on this screen where it is one.
      case 'approval-request':
        return err.isTerminal ? calls.asked(event) : undefined;
      // Thoughts are for the log; who goes back is told by what they asked for.
      case 'rewind':
      case 'session-start':
      case 'user-message':
      case 'turn-start':
      case 'thinking-delta':
      default:
        return undefined;
    }
  };

  return { onEvent: (event) => turnstile.run(() => show(event)) };
}

interface NewsLine {
  readonly text: string;
  readonly isWarning: boolean;
}

type NewsEvent = Extract<AgentEvent, { type: 'model-retry' | 'notice' | 'hook-run' | 'compaction' | 'model-change' }>;

/** What is neither said by the model nor done by a call. */
function newsOf(event: NewsEvent): NewsLine {
  switch (event.type) {
    case 'model-retry':
      return { text: `Trying again in ${secondsText(event.delayMs)}: ${event.reason}`, isWarning: true };
    case 'notice':
      return { text: event.text, isWarning: event.level === 'warning' };
    case 'hook-run':
      return { text: hookLine(event) ?? '', isWarning: event.problem !== undefined };
    case 'compaction':
      return { text: event.told.join('\n'), isWarning: false };
    case 'model-change':
      return { text: `From here on ${event.model} answers.`, isWarning: false };
    default:
      return event satisfies never;
  }
}

/** The text of an answer that goes on with calls; empty for a last answer. */
function wordsBeforeCalls(event: Extract<AgentEvent, { type: 'assistant-message' }>): string {
  if (!event.content.some((block) => block.type === 'tool-call')) return '';
  return event.content
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
    .trim();
}
