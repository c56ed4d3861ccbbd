/** The names that the model uses (S17). Nothing but this file, `builtin-tools.ts` and a tool's own file spells one. */
export class ToolNames {
  static readonly READ_FILE = 'read_file';
  static readonly WRITE_FILE = 'write_file';
  static readonly EDIT = 'edit';
  static readonly APPLY_PATCH = 'apply_patch';
  static readonly GLOB = 'glob';
  static readonly GREP = 'grep_search';
  static readonly LS = 'list_directory';
  static readonly READ_MANY_FILES = 'read_many_files';
  static readonly SHELL = 'run_shell_command';
  static readonly JOB_OUTPUT = 'job_output';
  static readonly JOB_INPUT = 'job_input';
  static readonly JOB_STOP = 'job_stop';
  static readonly JOB_LIST = 'job_list';
  static readonly TOOL_SEARCH = 'tool_search';
  static readonly LSP = 'lsp';
  static readonly WEB_FETCH = 'web_fetch';
  static readonly TODO_WRITE = 'todo_write';
  static readonly SAVE_MEMORY = 'save_memory';
  static readonly EXIT_PLAN_MODE = 'exit_plan_mode';
  static readonly WEB_SEARCH = 'web_search';
  static readonly MCP_RESOURCE = 'mcp_resource';
  static readonly TASK = 'task';
  static readonly SKILL = 'skill';
  static readonly ASK_USER = 'ask_user';
  static readonly ENTER_PLAN_MODE = 'enter_plan_mode';
}

/** The names that people see. */
export class ToolDisplayNames {
  static readonly READ_FILE = 'ReadFile';
  static readonly WRITE_FILE = 'WriteFile';
  static readonly EDIT = 'Edit';
  static readonly APPLY_PATCH = 'ApplyPatch';
  static readonly GLOB = 'Glob';
  static readonly GREP = 'Grep';
  static readonly LS = 'ListFiles';
  static readonly READ_MANY_FILES = 'ReadManyFiles';
  static readonly SHELL = 'Shell';
  static readonly JOB_OUTPUT = 'JobOutput';
  static readonly JOB_INPUT = 'JobInput';
  static readonly JOB_STOP = 'JobStop';
  static readonly JOB_LIST = 'JobList';
  static readonly TOOL_SEARCH = 'ToolSearch';
  static readonly LSP = 'Lsp';
  static readonly WEB_FETCH = 'WebFetch';
  static readonly TODO_WRITE = 'TodoWrite';
  static readonly SAVE_MEMORY = 'SaveMemory';
  static readonly EXIT_PLAN_MODE = 'ExitPlanMode';
  static readonly WEB_SEARCH = 'WebSearch';
  static readonly MCP_RESOURCE = 'McpResource';
  static readonly TASK = 'Task';
  static readonly SKILL = 'Skill';
  static readonly ASK_USER = 'AskUser';
  static readonly ENTER_PLAN_MODE = 'EnterPlanMode';
}
