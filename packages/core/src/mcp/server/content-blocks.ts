import type { ServedPart } from './served-tools.js';

/** Content of a tool result as MCP has it. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; blob: string } };

/** One block for each part, in their order. Pure. */
export function contentBlocks(parts: readonly ServedPart[]): ContentBlock[] {
  return parts.map((part, index) => ('text' in part ? { type: 'text', text: part.text } : mediaBlock(part, index)));
}

function mediaBlock({ inlineData }: Extract<ServedPart, { inlineData: object }>, index: number): ContentBlock {
  const { data, mimeType } = inlineData;
  const [family] = mimeType.split('/', 1);
  if (family === 'image' || family === 'audio') return { type: family, data, mimeType };
  // Nothing else has a block of its own; an embedded resource takes any type, and wants an address.
  return { type: 'resource', resource: { uri: `tenon:/result/part-${index + 1}`, mimeType, blob: data } };
}
