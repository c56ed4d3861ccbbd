import { fileURLToPath } from 'node:url';
import { RequestError, type ContentBlock } from '@agentclientprotocol/sdk';
import { findMentions, type Part } from '@tenon/core';
import { selectedLines } from './selected-lines.js';

/** A prompt in the words of the engine. */
export interface AcpPrompt {
  /** What the person said, with the names of what they pointed at. */
  readonly text: string;
  /** Files that go with it: those that were pointed at, and those that are named with `@` as at the terminal. */
  readonly attach: readonly string[];
  readonly content: readonly Part[];
}

const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Pure. @throws RequestError -32602 for what cannot be shown to a model: sound, images of other kinds, an empty prompt */
export function readPrompt(blocks: readonly ContentBlock[]): AcpPrompt {
  const texts: string[] = [];
  const attach = new Set<string>();
  const content: Part[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        for (const mention of findMentions(block.text)) attach.add(mention);
        break;
      case 'image':
        content.push(imagePart(block.data, block.mimeType));
        break;
      case 'audio':
        throw invalid('A prompt with sound is not supported; this agent did not declare promptCapabilities.audio.');
      case 'resource_link': {
        const mention = mentionOf(block.uri);
        texts.push(mention === undefined ? linkText(block) : `@${quoted(mention)}`);
        if (mention !== undefined) attach.add(mention);
        break;
      }
      case 'resource':
        content.push(...resourceParts(block.resource));
        texts.push(`@${quoted(mentionOf(block.resource.uri) ?? block.resource.uri)}`);
        break;
      default:
        throw invalid('A block of the prompt has a type that is not known.');
    }
  }
  const text = join(texts);
  if (text.trim() === '' && content.length === 0) throw invalid('The prompt is empty.');
  return { text, attach: [...attach], content };
}

type Resource = Extract<ContentBlock, { type: 'resource' }>['resource'];

/** What was sent along counts as it was sent: an editor's buffer may be newer than its file. */
function resourceParts(resource: Resource): Part[] {
  const name = mentionOf(resource.uri) ?? resource.uri;
  if ('text' in resource) return [{ text: `--- ${name} ---\n${resource.text}` }];
  const mimeType = resource.mimeType ?? '';
  if (!IMAGES.has(mimeType)) return [{ text: `[${name}: ${mimeType || 'data'} that cannot be shown was left out.]` }];
  return [{ text: `--- ${name} ---` }, imagePart(resource.blob, mimeType)];
}

function imagePart(data: string, mimeType: string): Part {
  if (!IMAGES.has(mimeType)) throw invalid(`Images of the type ${JSON.stringify(mimeType)} are not supported.`);
  if (!BASE64.test(data)) throw invalid('The data of an image is not base64.');
  return { inlineData: { data, mimeType } };
}

/** Returns a file and its selected lines as a mention names them (`/w/a.ts#L10-20`); undefined if it is no file. */
function mentionOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    const url = new URL(uri);
    const lines = selectedLines(url);
    url.hash = '';
    url.search = '';
    return fileURLToPath(url) + (lines === undefined ? '' : `#L${lines}`);
  } catch {
    return undefined;
  }
}

function linkText({ name, uri, title }: Extract<ContentBlock, { type: 'resource_link' }>): string {
  return `[${title ?? name}](${uri})`;
}

function quoted(name: string): string {
  return /[\s"]/.test(name) ? `"${name.replaceAll('"', '')}"` : name;
}

/** Editors cut the person's words where they pointed at something; each piece brings its own blanks, or stands alone. */
function join(texts: readonly string[]): string {
  return texts.reduce((all, text) => {
    const touches = all === '' || text === '' || /\s$/.test(all) || /^\s/.test(text);
    return touches ? all + text : `${all} ${text}`;
  }, '');
}

function invalid(message: string): RequestError {
  return RequestError.invalidParams(undefined, message);
}
