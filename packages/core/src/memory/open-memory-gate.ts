import { join } from 'node:path';
import type { IgnoreRules } from '../files/ignore-rules.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { SAVED_NAME } from './context-names.js';

export interface MemoryGateOptions {
  readonly roots: readonly string[];
  readonly tempDir: string;
  readonly ignore: IgnoreRules;
  /** Tenon's own folder, existing and absolute; undefined: the gate is as any other. */
  readonly home: string | undefined;
}

/**
 * A gate that lets through one file more than that of the tools: the one in which facts for all projects are saved. For the
 * tool that saves them, and for what takes its changes back; never for any other.
 */
export function openMemoryGate({ home, ...options }: MemoryGateOptions): WorkspaceGate {
  return new WorkspaceGate({ ...options, ...(home === undefined ? {} : { alsoFiles: [join(home, SAVED_NAME)] }) });
}
