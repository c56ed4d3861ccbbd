import { ToolErrorType } from '../tools/tool-error.js';
import { failedResult, type ToolResult, type ToolResultDisplay } from '../tools/tool-result.js';

/**
 * What a tool returned, or an error result where that is no result: tools of others are not always type-checked.
 * What cannot be written as JSON is left out, since every event is logged.
 */
export function soundResult(returned: unknown, toolName: string): ToolResult {
  if (!isRecord(returned) || !isContent(returned['llmContent'])) {
    return failedResult(
      ToolErrorType.EXECUTION_FAILED,
      `${toolName} returned no usable result. Do not rely on what it did.`,
    );
  }
  const { llmContent, returnDisplay, error, data } = returned;
  return {
    llmContent,
    ...(isDisplay(returnDisplay) ? { returnDisplay } : {}),
    ...(isRecord(error) ? { error: { message: String(error['message']), type: String(error['type']) } } : {}),
    ...(data !== undefined && isJson(data) ? { data } : {}),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isContent(value: unknown): value is ToolResult['llmContent'] {
  return Array.isArray(value) ? value.every(isPart) : isPart(value);
}

function isPart(value: unknown): boolean {
  if (typeof value === 'string') return true;
  if (!isRecord(value)) return false;
  const { text, inlineData } = value;
  if (typeof text === 'string') return true;
  return isRecord(inlineData) && typeof inlineData['data'] === 'string' && typeof inlineData['mimeType'] === 'string';
}

function isDisplay(value: unknown): value is ToolResultDisplay {
  if (typeof value === 'string') return true;
  if (!isRecord(value) || !isJson(value)) return false;
  return typeof value['fileDiff'] === 'string' || typeof value['status'] === 'string' || Array.isArray(value['todos']);
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
