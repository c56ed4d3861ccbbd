import { resolve } from 'node:path';
import type { Effect } from '../effects/effect.js';
import { asksForFolder } from '../files/path-text.js';
import type { Refusal } from '../files/workspace-types.js';
import type { ToolRuntime } from '../runtime.js';
import { inFolderPhrase, onOneLine } from '../search/report/search-text.js';
import type { GrepScope } from './grep-flow.js';
import { GrepMemory } from './grep-memory.js';
import { GREP_ALIASES, GREP_SCHEMA, placesOf, problemOf, toRequest, type GrepToolParams } from './grep-params.js';
import { JudgedPaths } from './judged-paths.js';
import { LeftOut } from './left-out.js';
import { namedByGlobs } from './named-by-globs.js';
import type { EngineChoice } from './ripGrep.js';
import { withSeparator } from '../util/paths-below.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
  type UpdateOutput,
} from './tools.js';

export type { GrepData } from './grep-page.js';
export type { GrepToolParams } from './grep-params.js';

const TIME_LIMIT_MS = 30_000;

export interface GrepOptions {
  /** By default that of the session. */
  readonly index?: GrepScope['index'];
  readonly engine?: EngineChoice;
  readonly timeLimitMs?: number;
}

class GrepInvocation extends RunInvocation<GrepToolParams> {
  readonly #scope: GrepScope;
  readonly #timeLimitMs: number;
  readonly #memory: GrepMemory;

  constructor(
    config: ToolRuntime,
    params: GrepToolParams,
    { options, memory }: { options: GrepOptions; memory: GrepMemory },
  ) {
    super(params);
    const gate = config.getWorkspaceGate();
    const request = toRequest(params, gate);
    this.#scope = {
      config,
      index: options.index ?? (async () => config.getSearchIndex()),
      request,
      judged: new JudgedPaths(gate),
      leftOut: new LeftOut(config, ToolNames.GREP),
      engine: options.engine ?? 'auto',
    };
    this.#timeLimitMs = options.timeLimitMs ?? TIME_LIMIT_MS;
    this.#memory = memory;
  }

  getDescription(): string {
    const { pattern, path } = this.params;
    const { config, request } = this.#scope;
    const root = config.getWorkspaceGate().roots[0] ?? '';
    const place = inFolderPhrase(path === undefined ? undefined : request.places[0], root);
    const { globs, type } = request.filter;
    const glob = onOneLine(globs.join(', '));
    const filter = glob === '' ? '' : place === '' ? ` in ${glob}` : `/${glob}`;
    return `'${onOneLine(pattern)}'${place}${filter}${type === undefined ? '' : ` (${onOneLine(type)})`}`;
  }

  override toolLocations(): ToolLocation[] {
    return this.#scope.request.places.map((path) => ({ path }));
  }

  effects(): Effect[] {
    const { config, judged, request, leftOut } = this.#scope;
    const { places, filter } = request;
    const from = filter.fromRootsBelow ? config.getWorkspaceGate().roots : places;
    const names = namedByGlobs(filter.globs)?.flatMap((name) => from.map((folder) => resolve(folder, name)));
    const asked = leftOut.askedFor(places.map((place) => ({ place, names })));
    return judged.state([
      ...places.map((path) => ({ kind: 'read', path, tree: 'if-folder', leavesOut: leftOut.isKnown }) as const),
      ...asked.map((path) => ({ kind: 'read', path }) as const),
    ]);
  }

  protected async run(signal: AbortSignal, updateOutput?: UpdateOutput): Promise<ToolResult> {
    const { GrepRun } = await import('./grep-run.js');
    const run = new GrepRun({ scope: this.#scope, timeLimitMs: this.#timeLimitMs, memory: this.#memory });
    return run.answer(signal, updateOutput);
  }
}

/** Searches the contents of files (S105–S112). */
export class GrepTool extends BaseDeclarativeTool<GrepToolParams, ToolResult> {
  static readonly Name = ToolNames.GREP;
  readonly #config: ToolRuntime;
  readonly #options: GrepOptions;
  readonly #memory = new GrepMemory();
  override readonly parameterAliases = GREP_ALIASES;

  constructor(config: ToolRuntime, options: GrepOptions = {}) {
    super(
      GrepTool.Name,
      ToolDisplayNames.GREP,
      'Searches file contents for a regular expression, case-insensitively. Returns matching lines with line numbers under absolute file paths, most recently modified file first, with exact totals. Hidden files are searched; binary files and what .gitignore or .qwenignore hide are not.',
      Kind.Read,
      GREP_SCHEMA,
      false,
      true,
    );
    this.#config = config;
    this.#options = options;
  }

  protected override validateToolParamValues(params: GrepToolParams): string | Refusal | null {
    const problem = problemOf(params);
    if (problem !== null) return problem;
    const gate = this.#config.getWorkspaceGate();
    for (const place of placesOf(params, gate.roots)) {
      const refusal = gate.checkRead(asksForFolder(params.path ?? '') ? withSeparator(place) : place);
      if (refusal !== null) return refusal;
    }
    return null;
  }

  protected createInvocation(params: GrepToolParams): ToolInvocation<GrepToolParams, ToolResult> {
    return new GrepInvocation(this.#config, params, {
      options: this.#options,
      memory: this.#memory,
    });
  }
}
