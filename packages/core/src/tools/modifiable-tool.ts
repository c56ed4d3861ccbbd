import type { BaseDeclarativeTool, ToolResult } from './tools.js';

/** How a person's own version of the proposed content gets into a call (S56). */
export interface ModifyContext<TParams extends object> {
  getFilePath(params: TParams): string;
  /** The file as it is; the empty string for one that does not exist. */
  getCurrentContent(params: TParams): Promise<string>;
  getProposedContent(params: TParams): Promise<string>;
  /** The parameters under which the call writes exactly `modifiedProposedContent`. */
  createUpdatedParams(oldContent: string, modifiedProposedContent: string, originalParams: TParams): TParams;
}

/** A tool whose proposed content a person may change before it is written. */
export interface ModifiableDeclarativeTool<TParams extends object> extends BaseDeclarativeTool<TParams, ToolResult> {
  getModifyContext(signal: AbortSignal): ModifyContext<TParams>;
}

export function isModifiableTool<TParams extends object>(tool: object): tool is ModifiableDeclarativeTool<TParams> {
  return 'getModifyContext' in tool && typeof tool.getModifyContext === 'function';
}
