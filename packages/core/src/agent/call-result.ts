import type { MediaBlock, TextBlock, ToolResultBlock } from '../models/model.js';
import type { CallEvent } from '../scheduler/call-events.js';
import type { Part } from '../tools/tool-result.js';

/** What the model is told of a call that has ended. */
export function toResult(end: Extract<CallEvent, { type: 'tool-call-end' }>): ToolResultBlock {
  const content = toBlocks(end.content);
  return { type: 'tool-result', callId: end.callId, name: end.toolName, isError: end.status !== 'success', content };
}

/** A tool's parts as a model's blocks. */
export function toBlocks(parts: readonly Part[]): (TextBlock | MediaBlock)[] {
  return parts.map((part) =>
    'text' in part
      ? { type: 'text', text: part.text }
      : { type: 'media', mimeType: part.inlineData.mimeType, data: part.inlineData.data },
  );
}
