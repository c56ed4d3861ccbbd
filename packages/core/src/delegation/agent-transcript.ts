import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '../agent/events.js';
import type { Part } from '../tools/tool-result.js';
import { fenced } from '../util/fenced.js';

/** Of one result; all of it is in the log. */
const MOST_RESULT_CHARS = 4000;
const MOST_BYTES = 16 * 1024 * 1024;

export interface TranscriptHead {
  /** `explore (a1)` */
  readonly label: string;
  readonly description: string;
  readonly model: string;
  readonly logFile: string;
  /** Changes what is written: it holds no secrets then. */
  readonly hide: ((text: string) => string) | undefined;
}

/** What a subagent said and did, as Markdown that tools and people read; written as it happens. Never throws. */
export class AgentTranscript {
  readonly file: string;
  readonly #hide: (text: string) => string;
  #fd: number | undefined;
  #bytes = 0;

  /** `folder`: the project's temp folder. */
  constructor(folder: string, agentId: string, { label, description, model, logFile, hide }: TranscriptHead) {
    this.#hide = hide ?? ((text) => text);
    this.file = join(folder, `agent-${randomBytes(6).toString('hex')}-${agentId}.md`);
    try {
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND;
      this.#fd = openSync(this.file, flags, 0o600);
    } catch {
      // The log has all of it; a full disk ends no work.
    }
    this.#write(`# ${oneLine(`${label}: ${description}`)}\n\nModel: ${oneLine(model)}. Log: ${logFile}\n`);
  }

  note(event: AgentEvent): void {
    const text = transcriptOf(event);
    if (text !== undefined) this.#write(`\n${text}\n`);
  }

  close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) closeSync(fd);
  }

  #write(text: string): void {
    if (this.#fd === undefined) return;
    const bytes = Buffer.from(this.#hide(text));
    this.#bytes += bytes.length;
    try {
      if (this.#bytes > MOST_BYTES) {
        writeSync(this.#fd, '\n[The rest is in the log.]\n');
        this.close();
      } else for (let offset = 0; offset < bytes.length;) offset += writeSync(this.#fd, bytes, offset);
    } catch {
      this.close();
    }
  }
}

/** Pure; undefined for what is told by another event. */
function transcriptOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'user-message':
      return `## Task\n\n${event.text}`;
    case 'turn-start':
      return `## Turn ${event.turn}`;
    case 'assistant-message':
      return event.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('') || undefined;
    case 'tool-call-start':
      return `### ${oneLine(`${event.displayName}: ${event.title}`)}`;
    case 'approval-request':
      return `Approval was asked for: ${oneLine(event.request.reason)}`;
    case 'tool-call-end':
      return `${oneLine(event.title)}: ${event.status}\n\n${fenced(shortened(textOf(event.content)))}`;
    case 'subagent-start':
      return `${event.agent} (${event.agentId}) began: ${oneLine(event.description)}. Log: ${event.logFile}`;
    case 'subagent-end':
      return `${event.agentId} ended: ${event.stopReason}, ${event.toolCalls} calls`;
    case 'notice':
      return `Note: ${oneLine(event.text)}`;
    case 'prompt-end':
      return `## End\n\n${event.stopReason}${event.message === undefined ? '' : `: ${oneLine(event.message)}`}`;
    case 'session-start':
    case 'text-delta':
    case 'thinking-delta':
    case 'model-retry':
    case 'model-change':
    case 'hook-run':
    case 'approval-answer':
    case 'tool-call-update':
    case 'job-end':
    case 'job-wait':
    case 'subagent-event':
    case 'compaction':
    case 'rewind':
    case 'turn-end':
      return undefined;
    default:
      return event satisfies never;
  }
}

function textOf(content: readonly Part[]): string {
  return content.map((part) => ('text' in part ? part.text : `[${part.inlineData.mimeType}]`)).join('\n');
}

function shortened(text: string): string {
  const left = text.length - MOST_RESULT_CHARS;
  return left <= 0 ? text : `${text.slice(0, MOST_RESULT_CHARS)}\n[${left} more characters are in the log]`;
}

/** Longer than any fence in it. */

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
