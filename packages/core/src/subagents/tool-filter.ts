import { namesTool, namesToolStrictly, subjectOf } from '../policy/tool-aliases.js';

/** Stands for all tools in the lists of a definition. */
export const ALL_TOOLS = '*';

/** Which tools a definition lets an agent have, by their wire names. It takes away only: whether they are there, others know. */
export function toolFilter({
  tools,
  disallowedTools = [],
}: {
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
}): (name: string) => boolean {
  const isOut = named(disallowedTools, namesToolStrictly);
  const isIn = tools === undefined ? () => true : named(tools);
  return (name) => isIn(name) && !isOut(name);
}

/** `names`: as `toolNamed` gives them. */
function named(names: readonly string[], isMeant = namesTool): (name: string) => boolean {
  if (names.includes(ALL_TOOLS)) return () => true;
  const exact = new Set(names);
  const subjects = names.map(subjectOf);
  return (name) => exact.has(name) || subjects.some((subject) => isMeant(subject, name));
}
