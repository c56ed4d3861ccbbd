import { ToolNames } from '@tenon/core';
import { safeLine } from '../../ui/safe-lines.js';

type Words = (specifier: string) => string;

/** The wording for what a rule allows, by the rule's name. A rule with another name or form is shown as it is. */
const WORDS: Readonly<Record<string, Words>> = {
  Bash: commandWords,
  [ToolNames.SHELL]: commandWords,
  Edit: (pattern) => `change ${filesOf(pattern)}`,
  Read: (pattern) => `read ${filesOf(pattern)}`,
  WebFetch: (host) => `fetch from ${host.replace(/^domain:/, '')}`,
  Secret: (name) => `use the secret ${name}`,
};

/** Says in plain words what `always` would allow: one line, with nothing hidden in it. Pure. */
export function rulesInWords(rules: readonly string[]): string {
  return rules.map((rule) => safeLine(ruleInWords(rule))).join('; ');
}

function ruleInWords(rule: string): string {
  const [, name = '', specifier] = /^([\w*-]+)(?:\((.*)\))?$/s.exec(rule) ?? [];
  if (specifier !== undefined) return WORDS[name]?.(specifier) ?? rule;
  if (name === ToolNames.WEB_SEARCH) return 'search the web';
  const [, server, tool] = /^(.+?)__(.+)$/.exec(name) ?? [];
  if (server === undefined) return name === '' ? rule : `use ${name}`;
  return tool === '*' ? `use all tools of the server ${server}` : `use ${tool} of the server ${server}`;
}

function commandWords(pattern: string): string {
  const [, begin] = /^([^*]+?)(?: \*|:\*)$/.exec(pattern) ?? [];
  if (begin !== undefined) return `run \`${begin}\` with any arguments`;
  return /(?<!\\)\*/.test(pattern) ? `run commands like \`${pattern}\`` : `run \`${plain(pattern)}\``;
}

/** `//` is the root of the file system, and `/` the folder of the workspace. */
function filesOf(pattern: string): string {
  const path = pattern.replace(/^\/\//, '/');
  const isOfWorkspace = path === pattern;
  const [, folder = path, stars] = /^(.*?)\/(\*\*?)$/.exec(path) ?? [];
  const shown = plain(folder);
  if (stars === undefined) return shown;
  const where = isOfWorkspace && shown === '' ? 'the workspace folder' : shown;
  return stars === '*' ? `files in ${where}, not below it` : `everything in ${where}`;
}

function plain(pattern: string): string {
  return pattern.replaceAll(/\\(.)/g, '$1');
}
