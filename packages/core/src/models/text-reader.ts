import type { ModelEvent, ModelTool } from './model.js';
import { TEXT_CALL_FORMS, type TextCall, type TextCallForm } from './text-calls.js';

export interface TextReaderOptions {
  /** The tools of the request: only these can be called. */
  readonly tools: readonly ModelTool[];
  /** Returns the name of a tool from what the model wrote. */
  readonly fromWire: (name: string) => string;
  /** True if calls that are written as text become calls. */
  readonly readsCalls: boolean;
}

/** Reads the events of one answer, whose text may be cut anywhere, and passes them on. */
export type TextReader = (event: ModelEvent) => readonly ModelEvent[];

type Marker =
  | { readonly kind: 'think'; readonly open: string; readonly close: string }
  | { readonly kind: 'think-end'; readonly open: string }
  | { readonly kind: 'stray'; readonly open: string }
  | { readonly kind: 'call'; readonly open: string; readonly form: TextCallForm };

const THINKING: readonly Marker[] = [
  { kind: 'think', open: '<think>', close: '</think>' },
  { kind: 'think', open: '<thinking>', close: '</thinking>' },
  { kind: 'think-end', open: '</think>' },
];
const CALLS: readonly Marker[] = [
  ...TEXT_CALL_FORMS.map((form): Marker => ({ kind: 'call', open: form.open, form })),
  // The rest of a call whose opening tag was forgotten.
  { kind: 'stray', open: '</tool_call>' },
];

/** A call so far: its pieces, and their tail, in which the closing tag may begin. */
interface OpenCall {
  readonly form: TextCallForm;
  readonly pieces: string[];
  tail: string;
}

/**
 * Separates thinking (`<think>…</think>`, or a `</think>` alone) and calls in one of the known forms from an answer's text. Text in a code
 * fence, in `code`, in quotation marks or in a quotation (`>`) stays text. So does a call of a tool that was not offered, and one that
 * cannot be read. If an answer also has calls of the provider's own form, all calls in its text stay text.
 */
export function createTextReader(options: TextReaderOptions): TextReader {
  const text = new AnswerText(options);
  let hasCalls = false;
  return (event) => {
    switch (event.type) {
      case 'text-delta':
        return text.read(event.text, false);
      case 'tool-call-delta':
        hasCalls = true;
        return [event];
      case 'finish': {
        const rest = text.read('', true);
        if (hasCalls) return [...rest, ...text.callsAsText(), event];
        const calls = text.calls();
        const reason = event.reason === 'stop' && calls.length > 0 ? 'tool-calls' : event.reason;
        return [...rest, ...calls, { type: 'finish', reason }];
      }
      case 'thinking-delta':
      case 'text-was-thinking':
      case 'usage':
      default:
        return [event];
    }
  };
}

/** The text of one answer so far. */
class AnswerText {
  readonly #options: TextReaderOptions;
  readonly #markers: readonly Marker[];
  readonly #calls: { readonly text: string; readonly found: readonly TextCall[] }[] = [];
  #place = new TextPlace();
  #failures = 0;
  /** Text that is not decided yet: it may be the beginning of a marker. */
  #held = '';
  #thinkingEnd: string | undefined;
  #hasThought = false;
  #openCall: OpenCall | undefined;
  /** True while blanks are skipped, between thinking or a call and the text. */
  #skipsSpace = false;
  #lead = '';

  constructor(options: TextReaderOptions) {
    this.#options = options;
    this.#markers = options.readsCalls && options.tools.length > 0 ? [...THINKING, ...CALLS] : THINKING;
  }

  /** @param isLast no more text comes: nothing is held back any longer */
  read(piece: string, isLast: boolean): ModelEvent[] {
    this.#held += piece;
    const events: ModelEvent[] = [];
    for (;;) {
      if (this.#held === '' && !(isLast && this.#openCall !== undefined)) return events;
      const next = this.#step(isLast);
      if (next === undefined) return events;
      events.push(...next);
    }
  }

  calls(): ModelEvent[] {
    return this.#calls.flatMap((call) => call.found).map(callEvent);
  }

  callsAsText(): ModelEvent[] {
    return this.#calls.flatMap((call) => this.#text(call.text));
  }

  /** Takes one step; returns undefined if more text is needed. */
  #step(isLast: boolean): ModelEvent[] | undefined {
    if (this.#openCall !== undefined) return this.#readCall(this.#openCall, isLast);
    if (this.#thinkingEnd !== undefined) return this.#readThinking(this.#thinkingEnd, isLast);
    const held = this.#held;
    const at = held.search(MAY_BEGIN);
    if (at !== 0) return this.#text(this.#take(at < 0 ? held.length : at));
    const marker = this.#markers.find(({ open }) => held.startsWith(open));
    // The text after the marker decides.
    if (marker?.kind === 'think-end' && !isLast && /^\S+[^\S\n]*$/.test(held)) return undefined;
    if (marker !== undefined && this.#counts(marker)) return this.#begin(marker);
    if (marker === undefined && !isLast && this.#markers.some(({ open }) => open.startsWith(held))) return undefined;
    return this.#text(this.#take(1));
  }

  #take(size: number): string {
    const taken = this.#held.slice(0, size);
    this.#held = this.#held.slice(size);
    return taken;
  }

  #text(said: string): ModelEvent[] {
    const text = this.#skipsSpace ? said.trimStart() : this.#lead + said;
    // Blank lines before the first word are the text's own only if no thinking follows them.
    this.#lead = text.trim() === '' && this.#place.isStart() ? text : '';
    if (text === '' || this.#lead !== '') return [];
    this.#skipsSpace = false;
    this.#place.pass(text);
    return [{ type: 'text-delta', text }];
  }

  #counts(marker: Marker): boolean {
    const place = this.#place;
    if (this.#failures >= MOST_FAILURES || place.isQuoted()) return false;
    if (marker.kind === 'think') return place.isLineStart();
    // In the middle of a line the marker is a mention, unless the line ends there.
    if (marker.kind === 'think-end')
      return !this.#hasThought && (place.isLineStart() || /^\s*?(?:\n|$)/.test(this.#held.slice(marker.open.length)));
    if (marker.kind === 'stray') return this.#calls.length > 0;
    return marker.form.isWholeAnswer !== true || (place.isStart() && this.#calls.length === 0);
  }

  #begin(marker: Marker): ModelEvent[] {
    if (marker.kind === 'call') {
      this.#openCall = { form: marker.form, pieces: [], tail: '' };
      return [];
    }
    this.#take(marker.open.length);
    this.#skipsSpace = true;
    this.#lead = '';
    if (marker.kind === 'stray') return [];
    this.#hasThought = true;
    if (marker.kind === 'think') {
      this.#thinkingEnd = marker.close;
      return [];
    }
    this.#place = new TextPlace();
    return [{ type: 'text-was-thinking' }];
  }

  #readThinking(end: string, isLast: boolean): ModelEvent[] | undefined {
    const at = this.#held.indexOf(end);
    const size = at >= 0 ? at : this.#held.length - (isLast ? 0 : unfinished(this.#held, end));
    if (at < 0 && size === 0) return undefined;
    const text = this.#take(size);
    if (at >= 0) {
      this.#take(end.length);
      this.#thinkingEnd = undefined;
      this.#skipsSpace = true;
    }
    return text === '' ? [] : [{ type: 'thinking-delta', text }];
  }

  #readCall(call: OpenCall, isLast: boolean): ModelEvent[] {
    const { tools, fromWire } = this.#options;
    const { close = '' } = call.form;
    const seen = call.tail + this.#held;
    call.pieces.push(this.#take(this.#held.length));
    const at = close === '' ? -1 : seen.indexOf(close);
    call.tail = close === '' ? '' : seen.slice(-close.length);
    if (at < 0 && !isLast) return [];
    this.#openCall = undefined;
    const whole = call.pieces.join('');
    const end = at < 0 ? whole.length : whole.length - (seen.length - at);
    const found = call.form.read(whole.slice(0, end), tools).map((one) => ({ ...one, name: fromWire(one.name) }));
    this.#held = whole;
    if (found.length === 0 || !found.every(({ name }) => tools.some((tool) => tool.name === name))) {
      this.#failures += 1;
      // Its first character is text. The rest may still hold something else, unless this one went to the end.
      return this.#text(this.#take(at < 0 ? whole.length : 1));
    }
    this.#calls.push({ text: this.#take(end + close.length), found });
    this.#skipsSpace = true;
    return [];
  }
}

function callEvent(call: TextCall, index: number): ModelEvent {
  return { type: 'tool-call-delta', index, id: `call_${crypto.randomUUID().replaceAll('-', '')}`, ...call };
}

/** The most failed calls: an answer with more is about calls, and searching on would take ever longer. */
const MOST_FAILURES = 20;

/** The first characters of all markers. */
const MAY_BEGIN = /[<[{]/;

/** Counts the characters at the end of a text that may begin a word. */
function unfinished(text: string, word: string): number {
  for (let size = Math.min(text.length, word.length - 1); size > 0; size -= 1)
    if (word.startsWith(text.slice(-size))) return size;
  return 0;
}

/** The part of a line that shows its kind, in characters. */
const LINE_HEAD = 200;

/** The place of the next character in a Markdown text. Lines may be long, so little of them is kept. */
class TextPlace {
  #head = '';
  #last = '';
  #ticks = 0;
  #quotes = 0;
  #fence = '';
  #isStart = true;

  pass(text: string): void {
    this.#isStart &&= text.trim() === '';
    const lines = text.split('\n');
    for (const [index, part] of lines.entries()) {
      if (this.#head.length < LINE_HEAD) this.#head = (this.#head + part).slice(0, LINE_HEAD);
      this.#last = part.at(-1) ?? this.#last;
      this.#ticks += part.split('`').length - 1;
      this.#quotes += part.split('"').length - 1;
      if (index === lines.length - 1) continue;
      this.#fence = fenceAfter(this.#head, this.#fence);
      [this.#head, this.#last, this.#ticks, this.#quotes] = ['', '', 0, 0];
    }
  }

  isStart(): boolean {
    return this.#isStart;
  }

  isLineStart(): boolean {
    return this.#head.trim() === '';
  }

  isQuoted(): boolean {
    if (this.#fence !== '' || /^\s*(?:>|```|~~~)/.test(this.#head)) return true;
    return this.#ticks % 2 === 1 || this.#quotes % 2 === 1 || /['\u2018\u201c\u00ab]/.test(this.#last);
  }
}

/** Returns the fence that is open after a line; a shorter inner fence closes nothing. */
function fenceAfter(line: string, open: string): string {
  const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
  if (open === '') return fence;
  return fence.startsWith(open) && line.trim() === fence ? '' : open;
}
