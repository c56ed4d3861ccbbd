import type { Memory } from './memory.js';
import type { MemoryNotice, MemoryOverview } from './memory-types.js';

/** What holds the memory of a session: `Config`. */
export interface WithMemory {
  getMemory(): Memory;
}

/** What is told of context files with every request, what is left out and why, and where facts are saved; read anew. */
export async function memoryOverview(config: WithMemory): Promise<MemoryOverview> {
  return config.getMemory().overview();
}

/** Reads the context files anew, for the next request. Returns what changed, a sentence each. */
export async function reloadMemory(config: WithMemory): Promise<readonly MemoryNotice[]> {
  return config.getMemory().refresh();
}
