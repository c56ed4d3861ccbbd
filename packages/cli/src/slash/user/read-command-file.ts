import { errorMessage, readFrontMatter, readToml } from '@tenon/core';

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
  /** The skill that it stands for, in place of a template. */
  readonly skill?: string;
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
  const { fields, body } = await readFrontMatter(text);
  if (body.trim() === '') return { problem: 'it says nothing' };
  return { ...headOf(fields), template: body.trim() };
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
