import { namesTool, namesToolStrictly, serverOf, subjectOf, type RuleSubject } from '../policy/tool-aliases.js';
import { ToolNames } from './tool-names.js';

/** Which tools there are for the model, by names as rules write them (`alias__*`, `mcp__alias`, `mcp__*` too). */
export interface OfferedTools {
  /**
   * Of the built-in ones only these; undefined: all. Where it names tools of servers as well, only those of all servers'
   * tools. Other tools were chosen by name already.
   */
  readonly only?: readonly string[];
  /** None of these, whatever they are. */
  readonly without: readonly string[];
}

/** The one rule by which a tool is let in, whenever it comes. */
export function offersTool({ only, without }: OfferedTools): (name: string) => boolean {
  const isOut = namedBy(without, namesToolStrictly);
  const isIn = namedBy(only ?? []);
  const namesServers = only?.some(isOfServers) === true;
  return (name) => {
    if (isOut(name)) return false;
    if (only === undefined) return true;
    const isLimited = serverOf(name) === undefined ? BUILT_IN.has(name) : namesServers;
    return !isLimited || isIn(name);
  };
}

/** Whatever is limited, what was put behind the search must be found. */
const BUILT_IN: ReadonlySet<string> = new Set(
  Object.values(ToolNames).filter((name) => name !== ToolNames.TOOL_SEARCH),
);

function namedBy(texts: readonly string[], isMeant = namesTool): (name: string) => boolean {
  const exact = new Set(texts);
  const subjects = texts.map(subjectOf).filter((subject) => subject.by === 'tool');
  return (name) => exact.has(name) || subjects.some((subject) => isMeant(subject, name));
}

function isOfServers(text: string): boolean {
  const subject: RuleSubject = subjectOf(text);
  return subject.by === 'tool' && subject.name.includes('__');
}
