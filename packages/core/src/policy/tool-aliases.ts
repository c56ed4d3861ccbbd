import { nearestName } from '../util/nearest-names.js';

/** What a rule that is not about one tool is about. `change` is writing and deleting. */
export type EffectClass = 'read' | 'change' | 'run' | 'fetch' | 'delegate' | 'secret';

/** The tool whose unknown effects a bare `Bash` rule speaks of as well. */
export const SHELL_TOOL = 'run_shell_command';

/** Whom it asks stands in the person's own settings. */
export const WEB_SEARCH_TOOL = 'web_search';

/** What may stand before the name of a server's tool, or of a server. */
const MCP = 'mcp__';

/** Wire names that a rule means literally, even where an alias differs only in case (`edit`, `Edit`). */
export const WIRE_NAMES: ReadonlySet<string> = new Set([
  'read_file',
  'write_file',
  'edit',
  'apply_patch',
  'glob',
  'grep_search',
  'list_directory',
  'read_many_files',
  SHELL_TOOL,
  'job_output',
  'job_input',
  'job_stop',
  'job_list',
  'tool_search',
  'lsp',
  'todo_write',
  'exit_plan_mode',
  'web_fetch',
  WEB_SEARCH_TOOL,
  'save_memory',
  'task',
  'skill',
  'ask_user',
  'enter_plan_mode',
]);

/** Tools that leave out of a tree what rules keep from being read, when their effects say so. */
const LEAVE_OUT: ReadonlySet<string> = new Set(['glob', 'grep_search', 'list_directory', 'read_many_files', 'lsp']);

/** Tools whose calls name no file: which one they touch follows from something else. */
const NAME_NO_FILE: ReadonlySet<string> = new Set(['skill', 'save_memory']);

/** True where a call might as well name another file. */
export function choosesFiles(toolName: string): boolean {
  return !NAME_NO_FILE.has(toolName);
}

/** True for built-in tools alone: what any other tool says of leaving things out is not believed. */
export function leavesOutWithheld(toolName: string): boolean {
  return LEAVE_OUT.has(toolName);
}

/** Names the peers use for a class of effects, in lower case: whichever tool has the effect, the rule speaks. */
const EFFECT_ALIASES: ReadonlyMap<string, EffectClass> = new Map([
  ['read', 'read'],
  ['edit', 'change'],
  ['write', 'change'],
  ['multiedit', 'change'],
  ['notebookedit', 'change'],
  ['notebookread', 'read'],
  ['bash', 'run'],
  ['shell', 'run'],
  ['webfetch', 'fetch'],
  ['fetch', 'fetch'],
  ['agent', 'delegate'],
  ['task', 'delegate'],
  ['secret', 'secret'],
]);

/**
 * The effect class of each tool. A deny or ask rule on such a tool with a specifier also covers this effect of other tools and commands.
 */
const CLASS_OF_TOOL: ReadonlyMap<string, EffectClass> = new Map([
  ['read_file', 'read'],
  ['read_many_files', 'read'],
  ['write_file', 'change'],
  ['edit', 'change'],
  ['apply_patch', 'change'],
  ['web_fetch', 'fetch'],
  [SHELL_TOOL, 'run'],
]);

/** Returns the subject of a deny or ask rule with a specifier. */
export function strictSubject(subject: RuleSubject): RuleSubject {
  const effect = subject.by === 'tool' && !subject.prefix ? CLASS_OF_TOOL.get(subject.name) : undefined;
  return effect === undefined ? subject : { by: 'effect', effect };
}

/** Names the peers, and Tenon's own screens, use for one tool, in lower case. */
const TOOL_ALIASES: ReadonlyMap<string, string> = new Map([
  ['readfile', 'read_file'],
  ['writefile', 'write_file'],
  ['editfile', 'edit'],
  ['replace', 'edit'],
  ['applypatch', 'apply_patch'],
  ['grep', 'grep_search'],
  ['searchtext', 'grep_search'],
  ['search_file_content', 'grep_search'],
  ['glob', 'glob'],
  ['findfiles', 'glob'],
  ['ls', 'list_directory'],
  ['listfiles', 'list_directory'],
  ['readfolder', 'list_directory'],
  ['readmanyfiles', 'read_many_files'],
  ['shelltool', SHELL_TOOL],
  ['readfiletool', 'read_file'],
  ['writefiletool', 'write_file'],
  ['edittool', 'edit'],
  ['greptool', 'grep_search'],
  ['ripgreptool', 'grep_search'],
  ['globtool', 'glob'],
  ['lstool', 'list_directory'],
  ['readmanyfilestool', 'read_many_files'],
  ['todowritetool', 'todo_write'],
  ['webfetchtool', 'web_fetch'],
  ['websearchtool', WEB_SEARCH_TOOL],
  ['memorytool', 'save_memory'],
  ['tasktool', 'task'],
  ['runshellcommand', SHELL_TOOL],
  ['todowrite', 'todo_write'],
  ['exitplanmode', 'exit_plan_mode'],
  ['websearch', WEB_SEARCH_TOOL],
  ['savememory', 'save_memory'],
  ['askuser', 'ask_user'],
  ['askuserquestion', 'ask_user'],
  ['ask_user_question', 'ask_user'],
  ['enterplanmode', 'enter_plan_mode'],
  ['skill', 'skill'],
  ['joboutput', 'job_output'],
  ['jobinput', 'job_input'],
  ['jobstop', 'job_stop'],
  ['joblist', 'job_list'],
  ['bashoutput', 'job_output'],
  ['killbash', 'job_stop'],
  ['killshell', 'job_stop'],
  ['toolsearch', 'tool_search'],
  ['lsp', 'lsp'],
  ['mcpresource', 'mcp_resource'],
]);

/** What other agents call the tools that do this; hooks are written with these names. */
const PEER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  [SHELL_TOOL, ['Bash', 'Shell']],
  ['read_file', ['Read', 'ReadFile']],
  ['write_file', ['Write', 'WriteFile']],
  ['edit', ['Edit', 'MultiEdit', 'EditFile']],
  ['grep_search', ['Grep']],
  ['glob', ['Glob']],
  ['list_directory', ['LS', 'ListFiles']],
  ['todo_write', ['TodoWrite']],
  ['exit_plan_mode', ['ExitPlanMode']],
  ['web_fetch', ['WebFetch']],
  ['web_search', ['WebSearch']],
  ['save_memory', ['SaveMemory']],
  ['task', ['Task', 'Agent']],
  ['skill', ['Skill']],
  ['ask_user', ['AskUserQuestion']],
  ['enter_plan_mode', ['EnterPlanMode']],
]);

/** Tools that others have none of, which do what theirs of these names do: whoever watches those watches these. */
const ACTS_AS: ReadonlyMap<string, readonly string[]> = new Map([
  ['apply_patch', ['Edit', 'MultiEdit', 'Write', 'WriteFile']],
  ['read_many_files', ['Read', 'ReadFile']],
  ['lsp', ['Edit']],
  ['job_input', ['Bash', 'Shell']],
]);

/** What a rule is about: a class of effects of any tool, or every effect of the tools of that name. */
export type RuleSubject =
  | { readonly by: 'effect'; readonly effect: EffectClass }
  /** `prefix`: `name` is the start of the tools' names. */
  | { readonly by: 'tool'; readonly name: string; readonly prefix: boolean };

/**
 * The subject of a rule's name. A wire name is taken literally; otherwise aliases count in any case, so
 * that `bash(rm *)` in a deny list is not lost; any other name is a custom or MCP tool. `mcp__alias__tool`
 * and `alias__tool` are one name, `mcp__alias` is every tool of that server (K19), and `mcp__*` every tool of all servers.
 */
export function subjectOf(name: string): RuleSubject {
  if (WIRE_NAMES.has(name) && name !== 'task') return { by: 'tool', name, prefix: false };
  const alias = name.toLowerCase();
  const effect = EFFECT_ALIASES.get(alias);
  if (effect !== undefined) return { by: 'effect', effect };
  const tool = TOOL_ALIASES.get(alias);
  if (tool !== undefined) return { by: 'tool', name: tool, prefix: false };
  const server = name.slice(MCP.length);
  if (name.startsWith(MCP) && server !== '' && !server.includes('__') && !server.endsWith('*')) {
    return { by: 'tool', name: `${server}__`, prefix: true };
  }
  const plain = plainToolName(name);
  if (plain.endsWith('*')) return { by: 'tool', name: plain.slice(0, -1), prefix: true };
  return { by: 'tool', name: plain, prefix: false };
}

/** The wire name of the one tool that a list of tools means by a name: classes of effects stand for the tool they are called after. */
export function toolNamed(name: string): string {
  const subject = subjectOf(name);
  if (subject.by === 'tool') return subject.prefix ? `${subject.name}*` : subject.name;
  return /^write$/i.test(name) ? 'write_file' : TOOL_OF_CLASS[subject.effect];
}

const TOOL_OF_CLASS: Readonly<Record<EffectClass, string>> = {
  read: 'read_file',
  change: 'edit',
  run: SHELL_TOOL,
  fetch: 'web_fetch',
  delegate: 'task',
  secret: 'secret',
};

/** All names under which hooks of other agents may mean a tool. */
export function peerNames(toolName: string): readonly string[] {
  const named = PEER_NAMES.get(toolName) ?? ACTS_AS.get(toolName);
  if (named !== undefined) return named;
  return serverOf(toolName) === undefined ? [] : [MCP + toolName];
}

/** What Claude Code calls a tool; its own name where that agent has none with such arguments. */
export function foreignToolName(toolName: string): string {
  const named = PEER_NAMES.get(toolName)?.[0];
  return named ?? (serverOf(toolName) === undefined ? toolName : MCP + toolName);
}

/** True when the subject names this tool. */
export function namesTool(subject: RuleSubject, toolName: string): boolean {
  return subject.by === 'tool' && coversName(subject, { name: plainToolName(toolName), prefix: false });
}

/**
 * Returns true if a name in a deny or ask list means the tool. A server's own name for its tool counts too, whichever server has it (K19).
 * An allow rule must name the server, because another one may bring a tool of that name.
 */
export function namesToolStrictly(subject: RuleSubject, toolName: string): boolean {
  if (namesTool(subject, toolName)) return true;
  const plain = plainToolName(toolName);
  const server = serverOf(plain);
  return server !== undefined && mayBeOwnName(subject) && plain.slice(server.length + 2) === subject.name;
}

/** Returns true if strict lists take the name as a server's own name for its tool. */
export function mayBeOwnName(subject: RuleSubject): subject is Extract<RuleSubject, { by: 'tool' }> {
  if (subject.by !== 'tool' || subject.prefix) return false;
  return !WIRE_NAMES.has(subject.name) && serverOf(subject.name) === undefined;
}

interface Names {
  readonly name: string;
  /** `name` is how the names begin. */
  readonly prefix: boolean;
}

/** True when all of `inner` are among `outer`, both as `subjectOf` writes them. */
export function coversName(outer: Names, inner: Names): boolean {
  if (!outer.prefix) return !inner.prefix && outer.name === inner.name;
  if (inner.name.startsWith(outer.name)) return true;
  // A server's tool has its name with `mcp__` in front as well.
  return serverOf(inner.name) !== undefined && (MCP + inner.name).startsWith(outer.name);
}

/** True when names that begin so are those of one server: its alias stands whole in them. */
export function isOfOneServer(prefix: string): boolean {
  return serverOf(prefix) !== undefined;
}

/** What stands before the tool's own name in a name such as `alias__tool`; undefined for other names. An alias holds no `__`, and is not `mcp`. */
export function serverOf(toolName: string): string | undefined {
  const end = toolName.indexOf('__');
  return end > 0 && !toolName.startsWith(MCP) ? toolName.slice(0, end) : undefined;
}

/** The other spelling of `alias__tool`. No server is called `mcp`, so what has one `__` only is a name of its own. */
export function plainToolName(name: string): string {
  const rest = name.slice(MCP.length);
  return name.startsWith(MCP) && rest.indexOf('__') > 0 ? rest : name;
}

/**
 * The name the writer of a rule most likely meant, when `name` is neither an alias nor one of `known`
 * (the wire names of the registered tools); undefined when it is known or nothing is near.
 */
export function suggestToolName(name: string, known: readonly string[]): string | undefined {
  const subject = subjectOf(name);
  if (subject.by === 'effect' || known.some((tool) => namesTool(subject, tool))) return undefined;
  return nearestName(name, [...known, 'Read', 'Edit', 'Write', 'Bash', 'WebFetch']);
}
