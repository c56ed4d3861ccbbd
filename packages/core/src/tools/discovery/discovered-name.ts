import { mcpToolName } from '../../mcp/catalog/tool-names.js';
import { DISCOVERED } from '../../effects/effect.js';
import { subjectOf } from '../../policy/tool-aliases.js';

/** What every provider takes. */
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * What a discovered tool is called: its own name where that is free and stands for nothing else, in rules neither; else
 * `discovered__name`, as if a server of that alias had it. Undefined when that is taken, too.
 */
export function discoveredName(name: string, taken: (name: string) => boolean): string | undefined {
  if (PLAIN.test(name) && !taken(name) && isPlainInRules(name)) return name;
  const prefixed = mcpToolName(DISCOVERED, name);
  return taken(prefixed) ? undefined : prefixed;
}

/** No alias of a built-in tool or of a kind of effects, nor the name of a server's tool. */
function isPlainInRules(name: string): boolean {
  const subject = subjectOf(name);
  return !name.includes('__') && subject.by === 'tool' && !subject.prefix && subject.name === name;
}
