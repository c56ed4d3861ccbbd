import { parseCommandPattern } from '../policy/command-pattern.js';
import { parseRule } from '../policy/parse-rule.js';
import type { Rule } from '../policy/rule.js';
import { SHELL_TOOL, toolNamed } from '../policy/tool-aliases.js';

/** The lists of tools that other agents' settings have. */
export type ToolListKey = 'tools.core' | 'tools.allowed' | 'tools.exclude';

export function isToolListKey(key: string): key is ToolListKey {
  return key === 'tools.core' || key === 'tools.allowed' || key === 'tools.exclude';
}

/** One of the lists as one file has it. `origin`: where an item stands, for people. */
export interface ToolList {
  readonly key: ToolListKey;
  readonly items: readonly { readonly text: string; readonly origin: string }[];
  /** The file is the administrator's, and so are the rules that come of it. */
  readonly isManaged?: true;
}

/** Which tools the model is offered, by their wire names. */
export interface OfferedTools {
  /** Of the built-in ones only these; undefined: all. */
  readonly only?: readonly string[];
  /** None of these. */
  readonly without: readonly string[];
}

export interface ReadToolLists {
  readonly rules: readonly Rule[];
  readonly offered: OfferedTools;
  readonly warnings: readonly string[];
}

/**
 * What the lists come to as rules. `run_shell_command(git)` has its old meaning: commands whose first words are those. A name
 * alone in `tools.exclude` also takes the tool out of what is offered; so does `tools.core` with every built-in tool that it
 * does not name. Several files can only take more away.
 */
export function readToolLists(lists: readonly ToolList[]): ReadToolLists {
  const rules: Rule[] = [];
  const warnings: string[] = [];
  const without = new Set<string>();
  let only: ReadonlySet<string> | undefined;
  for (const { key, items, isManaged } of lists) {
    const mark = isManaged === true ? { isManaged } : {};
    const read = items.flatMap((item) => {
      const tool = readItem(item.text);
      if (!('problem' in tool)) return [{ ...tool, origin: item.origin }];
      // A name that says nothing would leave a tool in that was to be taken out.
      if (key === 'tools.exclude') rules.push({ list: 'deny', text: item.text, origin: item.origin, ...mark });
      else warnings.push(`${item.origin}: ${JSON.stringify(item.text)} of "${key}" is left out. ${tool.problem}`);
      return [];
    });
    // An empty list says nothing.
    if (key === 'tools.core' && items.length === 0) continue;
    if (key === 'tools.core') {
      const names = new Set(read.map(({ tool }) => tool));
      const earlier = only;
      only = earlier === undefined ? names : new Set([...names].filter((name) => earlier.has(name)));
      rules.push(...limitOfCommands(read).map((rule) => ({ ...rule, ...mark })));
    } else {
      const list = key === 'tools.allowed' ? 'allow' : 'deny';
      rules.push(...read.map(({ text, origin }): Rule => ({ list, text, origin, ...mark })));
      if (key === 'tools.exclude') for (const { tool, prefix } of read) if (prefix === undefined) without.add(tool);
    }
  }
  return { rules, warnings, offered: { ...(only !== undefined && { only: [...only] }), without: [...without] } };
}

interface ReadItem {
  /** The wire name. */
  readonly tool: string;
  /** Of a command. */
  readonly prefix?: string;
  /** As a rule. */
  readonly text: string;
}

function readItem(written: string): ReadItem | { readonly problem: string } {
  const text = written.trim();
  const open = text.indexOf('(');
  const name = (open === -1 ? text : text.slice(0, open)).trim();
  const tool = toolNamed(name);
  if (open === -1) {
    const parsed = parseRule(tool);
    return 'problem' in parsed ? { problem: parsed.problem } : { tool, text: tool };
  }
  const inside = text.slice(open + 1, -1).trim();
  if (!text.endsWith(')') || tool !== SHELL_TOOL || inside === '') {
    return {
      problem: `Write the name of a tool, or ${SHELL_TOOL}(git status) for commands that begin so; for anything else use "permissions".`,
    };
  }
  const words = inside.replace(/(?:\s+|:)\*$/, '');
  const parsed = parseCommandPattern(words);
  if ('problem' in parsed) return { problem: `The command ${parsed.problem}.` };
  return { tool, prefix: words, text: `${SHELL_TOOL}(${words} *)` };
}

/** "The shell, but only for these": a rule against all other commands. */
function limitOfCommands(items: readonly (ReadItem & { readonly origin: string })[]): Rule[] {
  const shell = items.filter(({ tool }) => tool === SHELL_TOOL);
  const [first] = shell;
  if (first === undefined || shell.some(({ prefix }) => prefix === undefined)) return [];
  const unless = shell.map(({ prefix = '' }) => `${prefix} *`);
  return [{ list: 'deny', text: 'Bash', origin: first.origin, unless }];
}
