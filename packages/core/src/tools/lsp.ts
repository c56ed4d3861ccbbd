import type { Refusal } from '../files/workspace-types.js';
import type { ToolRuntime } from '../runtime.js';
import { LspChangeInvocation } from './lsp/lsp-change.js';
import {
  changesFiles,
  DEFAULT_LIMIT,
  LSP_OPERATIONS,
  MAX_LIMIT,
  misused,
  pathIn,
  type LspToolParams,
} from './lsp/lsp-params.js';
import { LspQueryInvocation } from './lsp/lsp-query.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import { BaseDeclarativeTool, Kind, type ToolInvocation, type ToolResult } from './tools.js';

export type { LspToolParams } from './lsp/lsp-params.js';

const DESCRIPTION =
  'Code intelligence from language servers: exact where text search guesses. Say which symbol by filePath, line and symbol (its name), or by line and character; symbol alone is looked up in the workspace. Places are answered as path:line:col, the line, [enclosing symbol]. rename, organizeImports and codeActions with apply change files.';

/** Asks language servers (S127). */
export class LspTool extends BaseDeclarativeTool<LspToolParams, ToolResult> {
  static readonly Name = ToolNames.LSP;
  override readonly parameterAliases = { file_path: 'filePath', path: 'filePath', new_name: 'newName' };
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(LspTool.Name, ToolDisplayNames.LSP, DESCRIPTION, Kind.Other, {
      type: 'object',
      properties: {
        operation: { type: 'string', enum: LSP_OPERATIONS },
        filePath: { type: 'string', description: 'Absolute path.' },
        line: { type: 'integer', minimum: 1, description: `From 1, as ${ToolNames.READ_FILE} counts.` },
        character: { type: 'integer', minimum: 1, description: 'From 1. Not needed with symbol.' },
        symbol: { type: 'string', minLength: 1, description: 'A name such as area or Circle.area.' },
        query: { type: 'string', description: 'workspaceSymbol: part of a name.' },
        newName: { type: 'string', minLength: 1, description: 'rename.' },
        apply: { type: 'string', minLength: 1, description: 'codeActions: number or title of one.' },
        includeDeclaration: { type: 'boolean', description: 'findReferences. Default: true.' },
        limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: `Default: ${DEFAULT_LIMIT}.` },
      },
      required: ['operation'],
      additionalProperties: false,
    });
    this.#config = config;
  }

  /** Where no server may run, it would only cost every request its description. */
  override get isOffered(): boolean {
    return this.#config.getLanguageServers()?.isTrusted === true;
  }

  protected override get example(): LspToolParams {
    return { operation: 'goToDefinition', symbol: 'Circle.area' };
  }

  protected override validateToolParamValues(params: LspToolParams): string | Refusal | null {
    const problem = misused(params);
    const path = pathIn(params, this.#config.getTargetDir());
    if (problem !== null || path === undefined) return problem;
    return this.#config.getWorkspaceGate().checkRead(path);
  }

  protected createInvocation(params: LspToolParams): ToolInvocation<LspToolParams, ToolResult> {
    return changesFiles(params)
      ? new LspChangeInvocation(this.#config, params)
      : new LspQueryInvocation(this.#config, params);
  }
}
