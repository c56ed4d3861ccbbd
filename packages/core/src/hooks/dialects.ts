import { foreignToolName } from '../policy/tool-aliases.js';
import type { HookDialect } from './hook-types.js';

/** What Claude Code calls the modes. */
const CLAUDE_MODES: ReadonlyMap<string, string> = new Map([
  ['auto_edit', 'acceptEdits'],
  ['yolo', 'bypassPermissions'],
]);

/** The tool's name as a hook of that dialect knows it. Qwen Code has the names that Tenon has. */
export function toldTool(dialect: HookDialect, toolName: string): string {
  return dialect === 'claude' ? foreignToolName(toolName) : toolName;
}

export function toldMode(dialect: HookDialect, mode: string): string {
  return dialect === 'claude' ? (CLAUDE_MODES.get(mode) ?? mode) : mode;
}

/**
 * The arguments as such a hook reads them: what names the file is `file_path` with both other agents. Tools take that name
 * too, so that what comes back needs no translation.
 */
export function toldInput(dialect: HookDialect, input: object): object {
  if (dialect === 'tenon' || !('absolute_path' in input) || 'file_path' in input) return input;
  const { absolute_path: path, ...rest } = input;
  return { file_path: path, ...rest };
}
