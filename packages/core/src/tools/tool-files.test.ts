import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EditTool } from './edit.js';
import { ExitPlanModeTool } from './exitPlanMode.js';
import { GlobTool } from './glob.js';
import { GrepTool } from './grep.js';
import { LSTool } from './ls.js';
import { MemoryTool } from './memoryTool.js';
import { ReadFileTool } from './read-file.js';
import { ReadManyFilesTool } from './read-many-files.js';
import * as ripGrep from './ripGrep.js';
import { ShellTool } from './shell.js';
import { TaskTool } from './task.js';
import { TodoWriteTool } from './todoWrite.js';
import { BaseDeclarativeTool, BaseTool } from './tools.js';
import { WebFetchTool } from './web-fetch.js';
import { WebSearchTool } from './web-search.js';
import { WriteFileTool } from './write-file.js';

/** The file and the class, as the specification has them, and the name that models use. */
const TOOLS = [
  ['ls.ts', 'LSTool', 'list_directory', LSTool],
  ['read-file.ts', 'ReadFileTool', 'read_file', ReadFileTool],
  ['write-file.ts', 'WriteFileTool', 'write_file', WriteFileTool],
  ['read-many-files.ts', 'ReadManyFilesTool', 'read_many_files', ReadManyFilesTool],
  ['grep.ts', 'GrepTool', 'grep_search', GrepTool],
  ['glob.ts', 'GlobTool', 'glob', GlobTool],
  ['edit.ts', 'EditTool', 'edit', EditTool],
  ['shell.ts', 'ShellTool', 'run_shell_command', ShellTool],
  ['web-fetch.ts', 'WebFetchTool', 'web_fetch', WebFetchTool],
  ['web-search.ts', 'WebSearchTool', 'web_search', WebSearchTool],
  ['memoryTool.ts', 'MemoryTool', 'save_memory', MemoryTool],
  ['task.ts', 'TaskTool', 'task', TaskTool],
  ['todoWrite.ts', 'TodoWriteTool', 'todo_write', TodoWriteTool],
  ['exitPlanMode.ts', 'ExitPlanModeTool', 'exit_plan_mode', ExitPlanModeTool],
] as const;

it.each(TOOLS)('%s has %s, which models know as %s (S13, S14, S19)', (file, className, name, tool) => {
  expect(existsSync(new URL(file, import.meta.url))).toBe(true);
  expect([tool.name, tool.Name]).toEqual([className, name]);
  expect(tool.prototype).toBeInstanceOf(BaseDeclarativeTool);
  expect(tool.prototype).toBeInstanceOf(BaseTool);
});

it('searching with ripgrep has a file of its own (S19)', () => {
  expect(existsSync(new URL('ripGrep.ts', import.meta.url))).toBe(true);
  expect(Object.keys(ripGrep)).toContain('findRipgreps');
});
