import type { CompiledRule } from './compile-rules.js';
import { nearestName } from '../util/nearest-names.js';
import { leavesOutWithheld, serverOf, suggestToolName } from './tool-aliases.js';

/**
 * Returns what is wrong with the name in a rule, and what to write. Undefined for one of `known` tools, an alias, or a name that may become
 * a tool's. `discovers`: a discovery command or a server may bring tools of any name. A server's own names for its tools count in deny and
 * ask rules (`mayNameAny`).
 */
export function nameProblem(
  { parsed }: Pick<CompiledRule, 'parsed'>,
  known: readonly string[],
  discovers = false,
): string | undefined {
  const { name, subject } = parsed;
  // An alias, be it of a tool that other versions have: a rule about it does no harm and was meant.
  if (subject.by === 'tool' && !subject.prefix && subject.name !== name) return undefined;
  // Of a server: which tools those have is known when they are connected.
  if (subject.by === 'tool' && subject.name.includes('__')) return undefined;
  const meant = suggestToolName(name, known);
  if (meant === undefined) {
    if (subject.by === 'effect' || known.includes(subject.name)) return undefined;
    if (subject.prefix && known.some((tool) => tool.startsWith(subject.name))) return undefined;
    // Tools that are not built in, such as `alias__tool` of a server, have names of several words. One word that
    // nothing resembles is nobody's name.
    if (discovers || subject.name.includes('_')) return undefined;
  }
  const hint =
    meant === undefined
      ? 'Rules take Bash, Read, Edit, WebFetch, SERVER__TOOL and what `tenon tools` lists.'
      : `Did you mean ${meant}?`;
  return `there is no tool "${name}". ${hint}`;
}

/** Returns true if tools may appear that a rule of this list can name by any word. */
export function mayNameAny(
  { rule }: Pick<CompiledRule, 'rule'>,
  {
    discovers = false,
    servers = [],
  }: { readonly discovers?: boolean; readonly servers?: readonly string[] | undefined },
): boolean {
  return discovers || (servers.length > 0 && rule.list !== 'allow');
}

const MOST_NAMED = 8;

/**
 * What is to be said of a rule about a server's tools where there is no such server: it says nothing, and a typing error would look
 * the same. Undefined for any other rule. `servers`: as they stand in the names of their tools, also those that are switched off.
 */
export function serverProblem(
  { parsed: { subject } }: Pick<CompiledRule, 'parsed'>,
  servers: readonly string[],
): string | undefined {
  const server = subject.by === 'tool' ? serverOf(subject.name) : undefined;
  if (server === undefined || servers.includes(server)) return undefined;
  const meant = nearestName(server, servers);
  const more = servers.length > MOST_NAMED ? ', …' : '';
  const hint =
    meant !== undefined
      ? `Did you mean "${meant}"?`
      : servers.length === 0
        ? 'There are no servers here.'
        : `Servers: ${servers.slice(0, MOST_NAMED).join(', ')}${more}.`;
  return `no server is named "${server}". ${hint}`;
}

/**
 * Explains a deny or ask rule that covers less than it seems to. It is about paths of one search tool, and other tools and commands read
 * these paths as well. Undefined for any other rule.
 */
export function narrowProblem({
  rule: { list, text },
  parsed: { subject, specifier },
}: CompiledRule): { readonly message: string; readonly instead: string } | undefined {
  if (list === 'allow' || specifier?.kind !== 'path' || subject.by !== 'tool' || !leavesOutWithheld(subject.name))
    return undefined;
  return {
    message: `it covers calls of ${subject.name} alone: other tools and commands may still read these files.`,
    instead: `Write Read${text.slice(text.indexOf('('))} to cover all of them.`,
  };
}
