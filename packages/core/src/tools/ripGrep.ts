import type { ToolRuntime } from '../runtime.js';
import type { EngineFactory } from '../search/engine-chain.js';
import { findProgram } from '../util/find-program.js';
import { createHybridEngine } from '../search/engines/hybrid/create-hybrid-engine.js';
import { createJavaScriptEngine } from '../search/engines/javascript/create-javascript-engine.js';
import { createRipgrepEngine } from '../search/engines/ripgrep/create-ripgrep-engine.js';
import type { SearchPattern } from '../search/engines/search-pattern.js';
import type { SearchThreads } from '../search/engines/threads/search-threads.js';

/** `auto`: ripgrep where there is one, JavaScript otherwise (S106). */
export type EngineChoice = 'auto' | 'ripgrep' | 'javascript';

/** The ripgrep programs that may be started, best first: the one that came with the install, then the system's. */
export async function findRipgreps(config: ToolRuntime): Promise<string[]> {
  const shipped = await shippedRipgrep();
  const path = config.getChildEnvironment()['PATH'] ?? '';
  const installed = findProgram('rg', { path, notBelow: config.getWorkspaceGate().roots })?.real;
  return [shipped, installed].filter((program) => program !== undefined);
}

async function shippedRipgrep(): Promise<string | undefined> {
  try {
    // Loading throws where the package, or its part for this platform, is not installed.
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch {
    return undefined;
  }
}

export interface EngineParts {
  /** See `findRipgreps`. */
  readonly programs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly threads: SearchThreads;
  readonly choice?: EngineChoice;
}

/** The engines for one pattern, in the order in which they are tried. */
export function engineFactories(
  pattern: SearchPattern,
  { programs, env, threads, choice = 'auto' }: EngineParts,
): EngineFactory[] {
  const ripgreps = programs.map(
    (program): EngineFactory =>
      (folder) =>
        createHybridEngine({
          ripgrep: createRipgrepEngine({ program, pattern, folder, env }),
          threads,
          pattern,
          folder,
        }),
  );
  if (choice === 'ripgrep') return ripgreps;
  const javascript: EngineFactory = (folder) => createJavaScriptEngine({ pattern, folder });
  return choice === 'javascript' ? [javascript] : [...ripgreps, javascript];
}
