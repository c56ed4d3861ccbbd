import type { ModelRequest } from './model.js';

/** Tool names as one provider takes them, and back. Made for each request. */
export interface WireNames {
  readonly toWire: (name: string) => string;
  /** Returns the tool's own name, also from a decorated one (`functions.read_file`); an unknown name is returned unchanged. */
  readonly fromWire: (wireName: string) => string;
}

export interface NameRule {
  /** Matches one character that the provider refuses. */
  readonly refused: RegExp;
  readonly maxLength: number;
}

/**
 * Names that a provider takes stay as they are. Others get `_` for each refused character and are
 * cut; where two would become equal, the later gets a number. Names in the history that belong to
 * no tool of the request are changed too, or the provider would refuse the whole history.
 */
export function createWireNames(request: Pick<ModelRequest, 'tools' | 'messages'>, rule: NameRule): WireNames {
  const wireOf = new Map<string, string>();
  const nameOf = new Map<string, string>();
  const bind = (name: string, wireName: string): void => {
    wireOf.set(name, wireName);
    nameOf.set(wireName, name);
  };
  const names = [...request.tools.map((tool) => tool.name), ...namesInHistory(request)];
  // Names that need no change first: nobody may take them.
  for (const name of names) if (changed(name, rule) === name) bind(name, name);
  for (const name of names) {
    if (wireOf.has(name)) continue;
    const base = changed(name, rule);
    let wireName = base;
    for (let number = 2; nameOf.has(wireName); number += 1) {
      const suffix = `_${number}`;
      wireName = base.slice(0, rule.maxLength - suffix.length) + suffix;
    }
    bind(name, wireName);
  }
  return {
    toWire: (name) => wireOf.get(name) ?? changed(name, rule),
    fromWire: (wireName) => nameOf.get(wireName) ?? offeredName(wireName, request.tools) ?? wireName,
  };
}

/** Prefixes that models add to a name out of habit. */
const BEFORE_NAME = /^(?:functions?|default_api|tools?|tool_calls?|api)[.:/]+/i;
/** Remains of a format behind a name: Kimi's number, tokens of a chat template. */
const BEHIND_NAME = /(?::\d+|<\|.*)$/;

/** Returns the one offered tool whose name differs only in decoration and spelling. */
function offeredName(wireName: string, tools: ModelRequest['tools']): string | undefined {
  const bare = wireName.trim().replace(BEHIND_NAME, '').replace(BEFORE_NAME, '');
  if (bare === '') return undefined;
  const found = tools.filter(({ name }) => name === bare || folded(name) === folded(bare));
  return (found.find(({ name }) => name === bare) ?? (found.length === 1 ? found[0] : undefined))?.name;
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function namesInHistory({ messages }: Pick<ModelRequest, 'messages'>): string[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? [] : message.content.flatMap((block) => ('name' in block ? [block.name] : [])),
  );
}

function changed(name: string, rule: NameRule): string {
  const replaced = Array.from(name, (character) => (rule.refused.test(character) ? '_' : character)).join('');
  const started = /^[a-zA-Z_]/.test(replaced) ? replaced : `_${replaced}`;
  return started.slice(0, rule.maxLength);
}
