import { errorMessage, readToml } from '@tenon/core';

/** A file that a user wrote to say the same thing often. */
export interface UserCommandFile {
  readonly description?: string;
  /** What follows the name, for people. */
  readonly argumentHint?: string;
  /** Which model answers. */
  readonly model?: string;
  /** It names tools that it wants to be allowed. It grants nothing. */
  readonly wantsTools: boolean;
  /** What is said to the model, with its blanks still to fill. */
  readonly template: string;
}

export type ReadCommandFile = UserCommandFile | { readonly problem: string };

/** Longest text of one line that is taken over. */
const LONGEST = 300;

/**
 * A command in Markdown, with YAML between lines of `---` at its top if it likes, or in TOML (`prompt`, `description`).
 * Nothing of it is evaluated. `problem`: what is wrong with it, for the person.
 */
export async function readCommandFile(text: string, format: 'md' | 'toml'): Promise<ReadCommandFile> {
  try {
    return format === 'toml' ? ofToml(text) : await ofMarkdown(text);
  } catch (thrown) {
    return { problem: errorMessage(thrown).split('\n', 1)[0] ?? '' };
  }
}

function ofToml(text: string): ReadCommandFile {
  const { prompt, ...head } = readToml(text);
  if (typeof prompt !== 'string' || prompt.trim() === '') return { problem: 'it has no text "prompt"' };
  return { ...headOf(head), template: prompt.trim() };
}

async function ofMarkdown(text: string): Promise<ReadCommandFile> {
  const { head, body } = splitFrontMatter(text.replace(/^\uFEFF/, ''));
  if (body.trim() === '') return { problem: 'it says nothing' };
  return { ...headOf(head === undefined ? {} : await yamlOf(head)), template: body.trim() };
}

/** Only lines of `---` alone count, the first at the very top. Pure. */
export function splitFrontMatter(text: string): { readonly head?: string; readonly body: string } {
  const found = /^---[ \t]*\r?\n((?:.*\r?\n)*?)---[ \t]*(?:\r?\n|$)/.exec(text);
  return found === null ? { body: text } : { head: found[1] ?? '', body: text.slice(found[0].length) };
}

async function yamlOf(head: string): Promise<Readonly<Record<string, unknown>>> {
  // Its bundle has no names of its own.
  const { default: yaml } = await import('yaml');
  const document = yaml.parseDocument(head, { prettyErrors: false, logLevel: 'silent' });
  const [error] = document.errors;
  const plain = error === undefined ? undefined : plainLines(head);
  if (error !== undefined && plain === undefined) throw error;
  // A few references to what was said before are enough for anybody; thousands are an attack.
  const value: unknown = plain ?? document.toJS({ maxAliasCount: 10 });
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** `argument-hint: [file] [why]` is what people write, and no YAML: then each line is a name and a text. */
function plainLines(head: string): Readonly<Record<string, string>> | undefined {
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const pairs = lines.map((line) => /^([\w-]+):[ \t]+(.*\S)[ \t]*$/.exec(line));
  if (pairs.some((pair) => pair === null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}

function headOf(head: Readonly<Record<string, unknown>>): Omit<UserCommandFile, 'template'> {
  const description = lineOf(head['description']);
  const argumentHint = lineOf(head['argument-hint']);
  const model = lineOf(head['model']);
  return {
    ...(description !== undefined && { description }),
    ...(argumentHint !== undefined && { argumentHint }),
    ...(model !== undefined && model !== 'inherit' && { model }),
    wantsTools: head['allowed-tools'] !== undefined && head['allowed-tools'] !== null,
  };
}

/** `argument-hint: [file]` is a list to YAML. */
function lineOf(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.map((item) => `[${String(item)}]`).join(' ') : value;
  if (typeof text !== 'string' && typeof text !== 'number') return undefined;
  const line = String(text).replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST);
  return line === '' ? undefined : line;
}
