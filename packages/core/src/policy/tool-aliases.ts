import { nearestName } from '../util/nearest-names.js';

/** What a rule that is not about one tool is about. `change` is writing and deleting. */
export type EffectClass = 'read' | 'change' | 'run' | 'fetch' | 'delegate';

/** The tool whose unknown effects a bare `Bash` rule speaks of as well. */
export const SHELL_TOOL = 'run_shell_command';

/** Wire names that a rule means literally, even where an alias differs only in case (`edit`, `Edit`). */
const WIRE_NAMES: ReadonlySet<string> = new Set([
  'read_file',
  'write_file',
  'edit',
  'apply_patch',
  'glob',
  'grep_search',
  'list_directory',
  'read_many_files',
  SHELL_TOOL,
  'todo_write',
  'exit_plan_mode',
  'web_fetch',
  'web_search',
  'save_memory',
  'task',
]);

/** Names the peers use for a class of effects, in lower case: whichever tool has the effect, the rule speaks. */
const EFFECT_ALIASES: ReadonlyMap<string, EffectClass> = new Map([
  ['read', 'read'],
  ['edit', 'change'],
  ['write', 'change'],
  ['multiedit', 'change'],
  ['notebookedit', 'change'],
  ['bash', 'run'],
  ['shell', 'run'],
  ['webfetch', 'fetch'],
  ['fetch', 'fetch'],
  ['agent', 'delegate'],
  ['task', 'delegate'],
]);

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
  ['runshellcommand', SHELL_TOOL],
  ['todowrite', 'todo_write'],
  ['exitplanmode', 'exit_plan_mode'],
  ['websearch', 'web_search'],
  ['savememory', 'save_memory'],
]);

/** What a rule is about: a class of effects of any tool, or every effect of the tools of that name. */
export type RuleSubject =
  | { readonly by: 'effect'; readonly effect: EffectClass }
  /** `prefix`: `name` is the start of the tools' names. */
  | { readonly by: 'tool'; readonly name: string; readonly prefix: boolean };

/**
 * The subject of a rule's name. A wire name is taken literally; otherwise aliases count in any case, so
 * that `bash(rm *)` in a deny list is not lost; any other name is a custom or MCP tool. `mcp__alias__tool`
 * and `alias__tool` are one name, and `mcp__alias` is every tool of that server (K19).
 */
export function subjectOf(name: string): RuleSubject {
  if (WIRE_NAMES.has(name) && name !== 'task') return { by: 'tool', name, prefix: false };
  const alias = name.toLowerCase();
  const effect = EFFECT_ALIASES.get(alias);
  if (effect !== undefined) return { by: 'effect', effect };
  const tool = TOOL_ALIASES.get(alias);
  if (tool !== undefined) return { by: 'tool', name: tool, prefix: false };
  const plain = withoutMcpPrefix(name);
  if (plain !== name && !plain.includes('__') && !plain.endsWith('*')) {
    return { by: 'tool', name: `${plain}__`, prefix: true };
  }
  if (plain.endsWith('*')) return { by: 'tool', name: plain.slice(0, -1), prefix: true };
  return { by: 'tool', name: plain, prefix: false };
}

/** True when the subject names this tool. */
export function namesTool(subject: RuleSubject, toolName: string): boolean {
  if (subject.by !== 'tool') return false;
  const plain = withoutMcpPrefix(toolName);
  return subject.prefix ? plain.startsWith(subject.name) : plain === subject.name;
}

function withoutMcpPrefix(name: string): string {
  return name.startsWith('mcp__') ? name.slice('mcp__'.length) : name;
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
