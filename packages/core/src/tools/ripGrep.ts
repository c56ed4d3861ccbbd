import type { ToolRuntime } from '../runtime.js';
import { findProgram } from '../search/find-program.js';
import { createJavaScriptEngine } from '../search/javascript-engine.js';
import { createRipgrepEngine } from '../search/ripgrep-engine.js';
import type { EngineFactory } from '../search/search-files.js';

/** `auto`: ripgrep where there is one, JavaScript otherwise (S106). */
export type EngineChoice = 'auto' | 'ripgrep' | 'javascript';

/** The ripgrep programs that may be started, best first: the one that came with the install, then the system's. */
export async function findRipgreps(config: ToolRuntime): Promise<string[]> {
  const shipped = await shippedRipgrep();
  const path = config.getChildEnvironment()['PATH'] ?? '';
  const installed = findProgram('rg', path, config.getWorkspaceGate().roots);
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

/** The engines for one pattern, in the order in which they are tried. */
export function engineFactories(
  pattern: string,
  programs: readonly string[],
  env: Readonly<Record<string, string>>,
  choice: EngineChoice = 'auto',
): EngineFactory[] {
  const ripgreps = programs.map(
    (program): EngineFactory =>
      ({ workingDirectory }) =>
        createRipgrepEngine({ program, pattern, workingDirectory, env }),
  );
  if (choice === 'ripgrep') return ripgreps;
  const javascript: EngineFactory = (folder) => createJavaScriptEngine({ pattern, folder });
  return choice === 'javascript' ? [javascript] : [...ripgreps, javascript];
}
