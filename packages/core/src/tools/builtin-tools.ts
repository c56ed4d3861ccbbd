import type { ToolRuntime } from '../runtime.js';
import { ApplyPatchTool } from './apply-patch.js';
import { AskUserTool } from './ask-user.js';
import { EditTool } from './edit.js';
import { EnterPlanModeTool } from './enter-plan-mode.js';
import { ExitPlanModeTool } from './exitPlanMode.js';
import { GlobTool } from './glob.js';
import { GrepTool } from './grep.js';
import { JobInputTool } from './job-input.js';
import { JobListTool } from './job-list.js';
import { JobOutputTool } from './job-output.js';
import { JobStopTool } from './job-stop.js';
import { LSTool } from './ls.js';
import { LspTool } from './lsp.js';
import { MemoryTool } from './memoryTool.js';
import { ReadFileTool } from './read-file.js';
import { ReadManyFilesTool } from './read-many-files.js';
import { ShellTool } from './shell.js';
import { SkillTool } from './skill.js';
import { TaskTool } from './task.js';
import { TodoWriteTool } from './todoWrite.js';
import type { BaseTool } from './tools.js';
import { WebFetchTool } from './web-fetch.js';
import { WebSearchTool } from './web-search.js';
import { WriteFileTool } from './write-file.js';

/** The one list of built-in tools, in the order in which models see them. */
export function builtinTools(runtime: ToolRuntime): readonly BaseTool[] {
  return [
    new ReadFileTool(runtime),
    new ReadManyFilesTool(runtime),
    new LSTool(runtime),
    new GlobTool(runtime),
    new GrepTool(runtime),
    new EditTool(runtime),
    new ApplyPatchTool(runtime),
    new WriteFileTool(runtime),
    new ShellTool(runtime),
    new JobOutputTool(runtime),
    new JobInputTool(runtime),
    new JobStopTool(runtime),
    new JobListTool(runtime),
    new LspTool(runtime),
    new WebFetchTool(runtime),
    new WebSearchTool(runtime),
    new TodoWriteTool(runtime),
    new TaskTool(runtime),
    new MemoryTool(runtime),
    new SkillTool(runtime),
    new EnterPlanModeTool(runtime),
    new ExitPlanModeTool(runtime),
    new AskUserTool(runtime),
  ];
}
