import { parseCommandPattern, type CommandPattern } from './command-pattern.js';
import { parseHostPattern, type HostPattern } from './host-pattern.js';
import { parsePathSpecifier, type PathSpecifier } from './path-pattern.js';
import { SHELL_TOOL, subjectOf, type RuleSubject } from './tool-aliases.js';

export type Specifier =
  | { readonly kind: 'command'; readonly pattern: CommandPattern }
  | { readonly kind: 'path'; readonly pattern: PathSpecifier }
  | { readonly kind: 'host'; readonly pattern: HostPattern }
  | { readonly kind: 'agent'; readonly name: string }
  /** A `*` in it stands for anything. */
  | { readonly kind: 'secret'; readonly name: string };

/** A rule's text, understood. Without a specifier it speaks of everything its subject does. */
export interface ParsedRule {
  /** The name as it was written, for `suggestToolName`. */
  readonly name: string;
  readonly subject: RuleSubject;
  readonly specifier?: Specifier;
}

/** Why a text is no rule: the cause and what to write instead. */
export interface ParseProblem {
  readonly problem: string;
}

const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;
const LONGEST = 4096;

/**
 * Reads `Tool` or `Tool(specifier)`. A name that is not known is taken for a custom or MCP tool.
 * `Bash(*)` and `WebFetch(domain:*)` mean the same as the bare name.
 */
export function parseRule(text: string): ParsedRule | ParseProblem {
  const rule = text.trim();
  if (rule === '') return { problem: 'The rule is empty; write Tool or Tool(specifier).' };
  if (rule.length > LONGEST)
    return { problem: `The rule is longer than ${LONGEST} characters; write a shorter pattern.` };
  if (HIDDEN.test(rule))
    return { problem: 'The rule has a control or invisible character; type it again on one line.' };
  const open = rule.indexOf('(');
  const name = (open === -1 ? rule : rule.slice(0, open)).trimEnd();
  if (open === -1 && rule.includes(')')) return { problem: 'The rule has ")" but no "("; write Tool(specifier).' };
  if (open !== -1 && !rule.endsWith(')'))
    return { problem: 'The "(" of the rule is never closed; write Tool(specifier).' };
  if (name === '') return { problem: 'The rule names no tool; write Tool or Tool(specifier).' };
  if (!/^[^\s"'`,;*]+\*?$/.test(name) && name !== '*') {
    return { problem: `"${name}" is not a tool name; a "*" may stand only at its end.` };
  }
  const subject = subjectOf(name);
  if (open === -1) return { name, subject };
  const inside = rule.slice(open + 1, -1).trim();
  if (inside === '') return { problem: `The parentheses are empty; write ${name} alone for everything it does.` };
  const specifier = parseSpecifier(subject, inside);
  if (specifier === undefined) return { name, subject };
  return 'problem' in specifier ? { problem: `The specifier ${specifier.problem}.` } : { name, subject, specifier };
}

/** Undefined: the specifier says "everything". */
function parseSpecifier(subject: RuleSubject, text: string): Specifier | ParseProblem | undefined {
  const kind = specifierKind(subject, text);
  switch (kind) {
    case 'command': {
      if (text === '*' || text === ':*') return undefined;
      const pattern = parseCommandPattern(text);
      return 'problem' in pattern ? pattern : { kind: 'command', pattern };
    }
    case 'host': {
      const host = text.replace(/^domain:/, '').trim();
      if (host === '*') return undefined;
      if (!text.startsWith('domain:')) return { problem: `"${text}" does not name a host; write domain:example.com` };
      const pattern = parseHostPattern(host);
      return 'problem' in pattern ? pattern : { kind: 'host', pattern };
    }
    case 'agent':
      return text === '*' ? undefined : { kind: 'agent', name: text };
    case 'secret':
      return text === '*' ? undefined : { kind: 'secret', name: text };
    case 'path': {
      const pattern = parsePathSpecifier(text);
      return 'problem' in pattern ? pattern : { kind: 'path', pattern };
    }
    default:
      return kind satisfies never;
  }
}

function specifierKind(subject: RuleSubject, text: string): Specifier['kind'] {
  if (subject.by === 'tool') {
    if (subject.name === SHELL_TOOL && !subject.prefix) return 'command';
    return text.startsWith('domain:') ? 'host' : 'path';
  }
  switch (subject.effect) {
    case 'run':
      return 'command';
    case 'fetch':
      return 'host';
    case 'delegate':
      return 'agent';
    case 'secret':
      return 'secret';
    case 'read':
    case 'change':
      return 'path';
    default:
      return subject.effect satisfies never;
  }
}
