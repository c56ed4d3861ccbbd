import { basename } from 'node:path';
import type { CallContext } from '../effects/call-context.js';
import type { FileChange as FileDiff } from '../files/diff.js';
import { displayPath } from '../files/display-path.js';
import type { ChangedFile } from '../files/file-changes.js';
import { readTextIfExists } from '../files/local-file-system.js';
import { contentHash } from '../files/write-handle.js';
import type { Memory } from '../memory/memory.js';
import type { MemoryScope, SavePlace } from '../memory/memory-types.js';
import type { ToolRuntime } from '../runtime.js';
import { FileChangeInvocation, linksNote, type ChangePlan } from './file-change-invocation.js';
import type { PathUse } from './judged-paths.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import { BaseDeclarativeTool, Kind, ToolError, ToolErrorType, type ToolInvocation, type ToolResult } from './tools.js';

export interface MemoryToolParams {
  fact: string;
  scope?: MemoryScope;
}

/** Longer texts are documents; they belong in a file of their own. */
const MAX_FACT_CHARS = 1000;

interface SavePlan extends ChangePlan {
  /** The line that says it already, and the file in which it stands. */
  readonly known?: { readonly line: string; readonly path: string };
}

interface SaveParts {
  readonly config: ToolRuntime;
  readonly memory: Memory;
  readonly place: SavePlace;
}

class MemoryInvocation extends FileChangeInvocation<MemoryToolParams, SavePlan> {
  readonly #memory: Memory;
  readonly #place: SavePlace;

  constructor({ config, memory, place }: SaveParts, params: MemoryToolParams) {
    const { gate, changes } = place;
    super(config, params, 'Memory', { getWorkspaceGate: () => gate, getFileChanges: () => changes });
    this.#memory = memory;
    this.#place = place;
  }

  getDescription(): string {
    const [line = ''] = this.params.fact.trim().split('\n', 1);
    return `${displayPath(this.#place.file, this.config.getTargetDir())}: ${line}`;
  }

  protected get uses(): readonly PathUse[] {
    return [{ kind: 'write', path: this.#place.file }];
  }

  protected async propose(_context: CallContext | undefined): Promise<SavePlan> {
    const { files, file: path } = this.#place;
    const { fact } = this.params;
    const [{ addFact, findFact, factLine }, { findSecret }] = await Promise.all([
      import('../memory/add-fact.js'),
      import('../memory/find-secret.js'),
    ]);
    const secret = findSecret(fact, this.#memory.environment);
    if (secret !== undefined) throw refusedSecret(secret);
    if (factLine(fact) === '') throw invalid('The fact says nothing. Say in one sentence what is to be remembered.');
    const existing = await readTextIfExists(files, path, this.judgedPath(path));
    const plan = addFact(existing?.text ?? null, fact);
    if (plan.kind === 'known') return { changes: [], known: { line: plan.line, path } };
    for (const other of this.#memory.otherFiles(path)) {
      const line = findFact(other.text, factLine(fact));
      if (line !== undefined) return { changes: [], known: { line, path: other.path } };
    }
    const hash = existing?.hash ?? contentHash(null);
    return { changes: [{ path, original: existing?.text ?? null, proposed: plan.text, hash }] };
  }

  protected report({ known }: SavePlan, done: readonly ChangedFile[], diff: FileDiff | undefined): ToolResult {
    const { file: path } = this.#place;
    const [file] = done;
    if (file === undefined || diff === undefined) {
      const where = known?.path ?? path;
      return {
        llmContent: `Nothing was saved: ${where} says so already (${JSON.stringify(known?.line ?? '')}). To change what is saved, edit that file.`,
        returnDisplay: `Known already: ${basename(where)}`,
        data: { path: where, saved: false },
      };
    }
    return {
      llmContent: `Saved in ${path}.${linksNote(file)} It is told in later sessions${this.params.scope === 'global' ? ' of all projects' : ' of this project'}.`,
      returnDisplay: diff,
      data: { path, saved: true },
    };
  }
}

function refusedSecret(what: string): ToolError {
  return invalid(
    `The fact holds ${what}, and secrets are not remembered: the file may be shared, and is sent with every request. Nothing was saved. Say where the secret is kept (the name of a variable, a file, a vault), not what it is.`,
  );
}

function invalid(message: string): ToolError {
  return new ToolError(ToolErrorType.INVALID_TOOL_PARAMS, message);
}

/** Saves facts for later sessions in the context files that every session reads (S122). */
export class MemoryTool extends BaseDeclarativeTool<MemoryToolParams, ToolResult> {
  static readonly Name = ToolNames.SAVE_MEMORY;
  override readonly parameterAliases = { memory: 'fact', content: 'fact' };
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      MemoryTool.Name,
      ToolDisplayNames.SAVE_MEMORY,
      'Saves a fact for later sessions: what the user asks you to remember, or a lasting preference or convention. Not for what only this task needs, what the code says, or secrets.',
      Kind.Edit,
      {
        type: 'object',
        properties: {
          fact: { type: 'string', minLength: 1, description: 'One sentence that is clear by itself.' },
          scope: {
            type: 'string',
            enum: ['project', 'global'],
            description: 'Default project. global: about the user, for all projects.',
          },
        },
        required: ['fact'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override validateToolParamValues({ fact, scope = 'project' }: MemoryToolParams): string | null {
    if (fact.trim() === '') return 'The fact says nothing. Say in one sentence what is to be remembered.';
    if (fact.length > MAX_FACT_CHARS)
      return `The fact has ${fact.length} characters, more than ${MAX_FACT_CHARS}. Save what matters in one sentence, or write a file and save where it is.`;
    if (this.#config.getMemory().savePlace(scope) === undefined)
      return 'There is no place for facts of all projects here. Save it with scope project.';
    return null;
  }

  protected createInvocation(params: MemoryToolParams): ToolInvocation<MemoryToolParams, ToolResult> {
    const memory = this.#config.getMemory();
    const place = memory.savePlace(params.scope ?? 'project');
    if (place === undefined) throw invalid('There is no place for facts of that scope.');
    return new MemoryInvocation({ config: this.#config, memory, place }, params);
  }
}
