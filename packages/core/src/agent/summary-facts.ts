import type { Message } from '../models/model.js';
import { groupDigits } from '../util/group-digits.js';
import { cut, headAndTail } from './compaction.js';
import type { ConversationFacts } from './conversation-facts.js';

/** Of everything that is computed the newest stays, for a summary has to be short. */
const MOST_WORDS = 20;
const WORDS_CHARS = 800;
const ALL_WORDS_CHARS = 8000;
const PLAN_CHARS = 6000;
const MOST_FILES = 60;
const MOST_FAILURES = 8;
const LAST_ANSWERS = 3;
const ANSWER_CHARS = 1500;

/** What needs no model to be known: the task list, the user's own words, files, what failed. Each part with its heading, what matters most first. */
export function factParts(facts: ConversationFacts): string[] {
  return [
    planPart(facts),
    part(
      'The task list as it was written last',
      facts.todos().map(({ id, content, status }) => `- [${status}] ${id}: ${content}`),
    ),
    part('What the user said, oldest first (word for word, long texts without their middle)', saidLines(facts.words())),
    part(
      'Skills that were called (what they said is gone: call the one that you still work by again)',
      pathLines(facts.skills()),
    ),
    part('Files changed in this session', pathLines(facts.changedFiles())),
    part('Files read', pathLines(facts.readFiles())),
    part('Calls that failed', newest(facts.failures(), MOST_FAILURES)),
  ].filter((text) => text !== '');
}

/** Told whole as far as there is room: it is what the person agreed to. */
function planPart(facts: ConversationFacts): string {
  const plan = facts.plan();
  if (plan === undefined) return '';
  const text = headAndTail(plan.text.trim(), PLAN_CHARS / 2, PLAN_CHARS / 2);
  return part('The plan that the user approved last (what of it is not done yet still holds)', [text]);
}

/** In place of the model's summary, when it gives none: the last things that it said. */
export function lastAnswersPart(messages: readonly Message[]): string {
  const answers = messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const text = message.content
      .flatMap((block) => (block.type === 'text' ? [block.text] : []))
      .join('\n')
      .trim();
    return text === '' ? [] : [text];
  });
  const last = answers.slice(-LAST_ANSWERS).map((text) => headAndTail(text, ANSWER_CHARS / 2, ANSWER_CHARS / 2));
  return part('The last things that you said', last);
}

function part(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`## ${heading}`, ...lines].join('\n');
}

function saidLines(words: readonly string[]): string[] {
  const lines: string[] = [];
  let characters = 0;
  for (const text of words.slice(-MOST_WORDS).toReversed()) {
    const line = `- ${headAndTail(text.trim(), WORDS_CHARS / 2, WORDS_CHARS / 2).replaceAll('\n', '\n  ')}`;
    characters += line.length;
    // What was said last counts most, but a short word is never too much.
    if (characters > ALL_WORDS_CHARS) break;
    lines.unshift(line);
  }
  return withOmitted(lines, words.length);
}

function pathLines(paths: readonly string[]): string[] {
  return newest(paths, MOST_FILES);
}

function newest(items: readonly string[], most: number): string[] {
  const lines = items.slice(-most).map((item) => `- ${cut(item.replaceAll('\n', ' '), 500)}`);
  return withOmitted(lines, items.length);
}

function withOmitted(lines: readonly string[], all: number): string[] {
  const left = all - lines.length;
  return left > 0 ? [`- (${groupDigits(left)} more before these)`, ...lines] : [...lines];
}
