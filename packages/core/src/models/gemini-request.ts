import { joinTurns } from './join-turns.js';
import { mediaAsText } from './media-text.js';
import type {
  MediaBlock,
  Message,
  ModelRequest,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
} from './model.js';
import { ownSignature } from './signatures.js';
import { geminiSchema } from './tool-schemas.js';
import { argumentsObject } from './wire-json.js';
import type { WireObject } from './wire-json.js';
import type { NameRule, WireNames } from './wire-names.js';

export const GEMINI_NAMES: NameRule = { refused: /[^a-zA-Z0-9_.-]/, maxLength: 64 };

/** Begins the ids that the adapter makes up where Gemini gives none; they never go back. */
export const OWN_ID_PREFIX = 'tenon_call_';

/** Stands in for a thought signature that does not exist; Gemini 3 refuses a call without one. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

interface WireContent {
  readonly role: 'user' | 'model';
  readonly parts: readonly WireObject[];
}

export interface GeminiRequestOptions {
  /** True for models that refuse calls without a thought signature (Gemini 3 and later). */
  readonly needsSignatures: boolean;
}

/** System, contents and tools of a generateContent request. */
export function geminiBody(request: ModelRequest, names: WireNames, options: GeminiRequestOptions): WireObject {
  const contents = merged(request.messages.map((message) => wireContent(message, names, options)));
  const functionDeclarations = request.tools.map((tool) => ({
    name: names.toWire(tool.name),
    description: tool.description,
    parametersJsonSchema: geminiSchema(tool.parameters),
  }));
  return {
    ...(request.system.trim() === '' ? {} : { systemInstruction: { parts: [{ text: request.system }] } }),
    contents,
    ...(functionDeclarations.length === 0 ? {} : { tools: [{ functionDeclarations }] }),
  };
}

function wireContent(message: Message, names: WireNames, options: GeminiRequestOptions): WireContent {
  if (message.role === 'user') return { role: 'user', parts: message.content.flatMap(contentPart) };
  if (message.role === 'assistant') return { role: 'model', parts: modelParts(message.content, names, options) };
  const results = message.content.map((result) => resultPart(result, names));
  return { role: 'user', parts: [...results, ...message.content.flatMap(resultMedia)] };
}

/** The API wants user and model to take turns, and no turn empty. */
function merged(contents: readonly WireContent[]): readonly WireContent[] {
  return joinTurns(
    contents,
    ({ parts }) => parts.length === 0,
    ({ role, parts }, next) => ({ role, parts: [...parts, ...next.parts] }),
  );
}

function contentPart(block: TextBlock | MediaBlock): WireObject[] {
  if (block.type === 'text') return block.text === '' ? [] : [{ text: block.text }];
  if (/^image\/(png|jpeg|gif|webp|heic|heif)$|^(audio|video)\/|^application\/pdf$/.test(block.mimeType)) {
    return [{ inlineData: { mimeType: block.mimeType, data: block.data } }];
  }
  return [{ text: mediaAsText(block) }];
}

function modelParts(
  content: readonly (TextBlock | ThinkingBlock | ToolCallBlock)[],
  names: WireNames,
  options: GeminiRequestOptions,
): WireObject[] {
  let isFirstCall = true;
  return content.flatMap((block): WireObject[] => {
    if (block.type === 'text') return contentPart(block);
    if (block.type === 'thinking') return thinkingPart(block);
    const own = ownSignature('gemini', block.signature);
    // Of parallel calls only the first carries a signature.
    const thoughtSignature = own ?? (options.needsSignatures && isFirstCall ? NO_SIGNATURE : undefined);
    isFirstCall = false;
    return [
      {
        functionCall: {
          ...wireId(block.id),
          name: names.toWire(block.name),
          args: argumentsObject(block.argumentsText),
        },
        ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
      },
    ];
  });
}

function thinkingPart(block: ThinkingBlock): WireObject[] {
  const ofText = ownSignature('gemini-text', block.signature);
  if (ofText !== undefined) return [{ text: '', thoughtSignature: ofText }];
  const thoughtSignature = ownSignature('gemini', block.signature);
  return thoughtSignature === undefined ? [] : [{ text: block.text, thought: true, thoughtSignature }];
}

function resultPart(result: ToolResultBlock, names: WireNames): WireObject {
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return {
    functionResponse: {
      ...wireId(result.callId),
      name: names.toWire(result.name),
      response: result.isError ? { error: text } : { output: text },
    },
  };
}

/** A function's response is JSON: media stand beside it. */
function resultMedia(result: ToolResultBlock): WireObject[] {
  return result.content.flatMap((block) => (block.type === 'media' ? contentPart(block) : []));
}

function wireId(id: string): WireObject {
  return id.startsWith(OWN_ID_PREFIX) ? {} : { id };
}
