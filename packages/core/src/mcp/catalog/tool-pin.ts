import { createHash } from 'node:crypto';
import type { CleanDefinition } from './clean-definition.js';
import { isObject } from '../../util/is-object.js';
import { cutBytes } from '../../util/clean-text.js';

/** What a tool was when it was let in. */
export interface ToolPin {
  /** `CleanDefinition.hash` */
  readonly hash: string;
  /** What it said of itself, in parts, for a comparison that people can read. */
  readonly said: ReadonlyMap<string, string>;
}

const MOST_PARTS = 60;
const LONGEST_PART = 2048;
const LONGEST_OF_MANY = 300;
const DIGITS = 12;

/** Where two tools differ in what is not kept word for word, they differ in this. */
const REST = 'something that is too long to be shown';

/** `isOne`: false where the server has so many tools that little of each can be kept. */
export function pinOf(tool: CleanDefinition, isOne: boolean): ToolPin {
  const { title, description, inputSchema, hints, outputSchema, hash } = tool;
  if (!isOne)
    return {
      hash,
      said: new Map([
        ['description', cutBytes(description, LONGEST_OF_MANY)],
        [REST, `content ${hash.slice(0, DIGITS)}`],
      ]),
    };
  const parts: [string, string][] = [
    ['title', title],
    ['description', description],
    ['annotations', Object.keys(hints).length === 0 ? 'none' : JSON.stringify(hints)],
    ...parametersOf(inputSchema),
    ...(outputSchema === undefined ? [] : ([['result', JSON.stringify(outputSchema)]] as [string, string][])),
  ];
  const kept = parts.slice(0, MOST_PARTS).map(([what, text]): [string, string] => [what, cutBytes(text, LONGEST_PART)]);
  const whole = new Map(kept);
  const rest = parts.filter(([what, text]) => whole.get(what) !== text);
  const digest = createHash('sha256').update(JSON.stringify(rest)).digest('hex').slice(0, DIGITS);
  return { hash, said: new Map(rest.length === 0 ? kept : [...kept, [REST, `content ${digest}`]]) };
}

function parametersOf(schema: object): [string, string][] {
  const { properties, required, ...rest } = schema as Readonly<Record<string, unknown>>;
  const needed = Array.isArray(required) ? required : [];
  const known = isObject(properties) ? Object.entries(properties) : [];
  return [
    ...known.map(([name, property]): [string, string] => [
      `parameter ${name}`,
      `${needed.includes(name) ? 'required' : 'optional'} ${JSON.stringify(property)}`,
    ]),
    ['other rules for parameters', JSON.stringify(rest)],
  ];
}

/** How a tool differs from what it was, line by line, old behind `-` and new behind `+`. */
export function describeChange(before: ToolPin, after: ToolPin): string {
  const names = new Set([...before.said.keys(), ...after.said.keys()]);
  const lines = [...names].flatMap((name) => {
    const [old, now] = [before.said.get(name), after.said.get(name)];
    if (old === now) return [];
    return [
      `${name}:`,
      ...(old === undefined ? [] : prefixed('-', old)),
      ...(now === undefined ? [] : prefixed('+', now)),
    ];
  });
  if (lines.length > 0) return lines.join('\n');
  return 'It differs in something that is not shown here: a long text beyond its beginning, or hidden characters.';
}

/** What a tool says of itself that was not there before. */
export function describeNew(pin: ToolPin): string {
  return `It is new.\n${describeChange({ hash: '', said: new Map() }, pin)}`;
}

function prefixed(mark: string, text: string): string[] {
  return text.split('\n').map((line) => `${mark} ${line}`);
}
