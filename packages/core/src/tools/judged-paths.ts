import type { PathEffect } from '../effects/effect.js';
import type { Expectation, WorkspaceGate } from '../files/workspace-gate.js';
import { ToolError, ToolErrorType } from './tool-error.js';

export interface PathUse {
  readonly kind: PathEffect['kind'];
  /** Absolute. */
  readonly path: string;
  /** With everything below: always, or when it is a folder. */
  readonly tree?: 'always' | 'if-folder';
  /** What rules speak of below is left out of the tree (`PathEffect.leavesOut`). */
  readonly leavesOut?: boolean;
}

/**
 * Where the paths of a call led when its effects were stated. The policy judged that; what the call opens later
 * must lead there still. Where no effects were asked for, nothing was judged and nothing is expected.
 */
export class JudgedPaths {
  readonly #gate: WorkspaceGate;
  readonly #judged = new Map<string, { readonly path: string; readonly isTree: boolean }>();

  constructor(gate: WorkspaceGate) {
    this.#gate = gate;
  }

  /** The effects of touching these paths as they lead now; forgets what was stated before. */
  state(uses: readonly PathUse[]): PathEffect[] {
    this.#judged.clear();
    // Two uses of one path are judged by one look at it.
    const resolved = new Map(uses.map(({ path }) => [path, this.#gate.resolve(path)]));
    return uses.flatMap(({ kind, path: requested, tree, leavesOut }) => {
      const found = resolved.get(requested);
      if (found === undefined) return [];
      const { path, zone } = found;
      const isTree = tree === 'always' || (tree === 'if-folder' && found.kind === 'directory');
      this.#judged.set(requested, { path, isTree: isTree || this.#judged.get(requested)?.isTree === true });
      const left = leavesOut === true && { leavesOut: 'denied' as const };
      const others = kind === 'write' && found.hasOtherNames === true && { hasOtherNames: true as const };
      return [{ kind, path, requested, zone, ...others, ...(isTree && { scope: 'tree' as const, ...left }) }];
    });
  }

  /** For the gate, which refuses what leads elsewhere. */
  expectation(requested: string): Expectation {
    return { expected: this.#judged.get(requested)?.path };
  }

  /** For what is about to be opened by another name. @throws ToolError `file_changed` */
  refuseUnless(requested: string, path: string): void {
    if ((this.#judged.get(requested)?.path ?? path) === path) return;
    throw swapped(requested, 'leads elsewhere than when it was judged');
  }

  /** Like `expectation`, for all that lies below. @throws ToolError `file_changed` for what was no folder when it was judged */
  treeExpectation(requested: string): Expectation {
    if (this.#judged.get(requested)?.isTree === false) throw swapped(requested, 'became a folder after it was judged');
    return this.expectation(requested);
  }
}

function swapped(path: string, how: string): ToolError {
  return new ToolError(ToolErrorType.FILE_CHANGED, `The path ${how}: ${path}. Try the call again.`);
}
