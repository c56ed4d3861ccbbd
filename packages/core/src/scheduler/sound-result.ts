import { ToolErrorType } from '../tools/tool-error.js';
import { failedResult, type ToolResult, type ToolResultDisplay } from '../tools/tool-result.js';
import { isObject } from '../util/is-object.js';

/**
 * What a tool returned, or an error result where that is no result: tools of others are not always type-checked.
 * What cannot be written as JSON is left out, since every event is logged.
 */
export function soundResult(returned: unknown, toolName: string): ToolResult {
  if (!isObject(returned) || !isContent(returned['llmContent'])) {
    return failedResult(
      ToolErrorType.EXECUTION_FAILED,
      `${toolName} returned no usable result. Do not rely on what it did.`,
    );
  }
  const { llmContent, returnDisplay, error, data } = returned;
  return {
    llmContent,
    ...(isDisplay(returnDisplay) ? { returnDisplay } : {}),
    ...(isObject(error) ? { error: { message: String(error['message']), type: String(error['type']) } } : {}),
    ...(data !== undefined && isJson(data) ? { data } : {}),
  };
}

function isContent(value: unknown): value is ToolResult['llmContent'] {
  return Array.isArray(value) ? value.every(isPart) : isPart(value);
}

function isPart(value: unknown): boolean {
  if (typeof value === 'string') return true;
  if (!isObject(value)) return false;
  const { text, inlineData } = value;
  if (typeof text === 'string') return true;
  return isObject(inlineData) && typeof inlineData['data'] === 'string' && typeof inlineData['mimeType'] === 'string';
}

function isDisplay(value: unknown): value is ToolResultDisplay {
  if (typeof value === 'string') return true;
  if (!isObject(value) || !isJson(value)) return false;
  if (typeof value['plan'] === 'string' && typeof value['note'] === 'string') return true;
  return typeof value['fileDiff'] === 'string' || typeof value['status'] === 'string' || Array.isArray(value['todos']);
}

/** Levels that are looked through by hand; what is deeper may be in a circle. */
const MAX_PLAIN_DEPTH = 20;

/** Plain data, which JSON can hold: told without writing megabytes of text only to throw them away. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null)
    return true;
  if (typeof value !== 'object' || depth >= MAX_PLAIN_DEPTH || 'toJSON' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item: unknown) => item === undefined || isPlain(item, depth + 1));
}

function isJson(value: unknown): boolean {
  try {
    if (isPlain(value, 0)) return true;
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
