import type { CleanDefinition } from './clean-definition.js';
import { describeChange, pinOf, type ToolPin } from './tool-pin.js';

/** What is known of one server since its tools were let in. */
export interface ServerPins {
  /** How it is started or reached, in words without secrets. */
  readonly server: string;
  readonly tools: ReadonlyMap<string, ToolPin>;
  /** What it said last that differs from that and waits for the person; undefined when nothing does. */
  readonly pending?: PendingPins;
}

export interface PendingPins {
  readonly server: string;
  readonly tools: ReadonlyMap<string, ToolPin>;
}

export interface HeldTool {
  readonly tool: CleanDefinition;
  /** For the person: what is different now. */
  readonly change: string;
  /** The server itself is another, and with it all of its tools. */
  readonly isServer: boolean;
}

export interface PinVerdict {
  readonly offered: readonly CleanDefinition[];
  /** Not offered and not called until the person accepts what they are now. */
  readonly held: readonly HeldTool[];
  /** Names of tools that a known server did not have before. */
  readonly added: readonly string[];
  /** The server was never seen. */
  readonly isFirst: boolean;
  /** The same object as before when there is nothing to remember. */
  readonly next: ServerPins;
}

/** More than this, and only hashes and beginnings are kept. */
const MOST_WHOLE = 200;

/**
 * What of a server's tools may be offered: all on first sight, and those that are what they were. One that changed is held
 * back; all are when the server itself is started or reached in another way. A tool that went away is remembered.
 */
export function judgePins(
  known: ServerPins | undefined,
  server: string,
  tools: readonly CleanDefinition[],
): PinVerdict {
  const isOne = tools.length <= MOST_WHOLE;
  const pins = new Map(tools.map((tool) => [tool.serverName, pinOf(tool, isOne)]));
  if (known === undefined) return { offered: tools, held: [], added: [], isFirst: true, next: { server, tools: pins } };
  if (known.server !== server) {
    const change = `The server is another now.\n- ${known.server}\n+ ${server}`;
    const next = samePins(known.pending, { server, tools: pins })
      ? known
      : { ...known, pending: { server, tools: pins } };
    return {
      offered: [],
      held: tools.map((tool) => ({ tool, change, isServer: true })),
      added: [],
      isFirst: false,
      next,
    };
  }
  const held: HeldTool[] = [];
  const [offered, added, changed] = [[] as CleanDefinition[], [] as string[], new Map<string, ToolPin>()];
  for (const tool of tools) {
    const [before, now] = [known.tools.get(tool.serverName), pins.get(tool.serverName)];
    if (now === undefined) continue;
    if (before === undefined) added.push(tool.serverName);
    if (before === undefined || before.hash === now.hash) {
      offered.push(tool);
      continue;
    }
    held.push({ tool, change: describeChange(before, now), isServer: false });
    changed.set(tool.serverName, now);
  }
  const pending = changed.size === 0 ? undefined : { server, tools: changed };
  if (added.length === 0 && samePins(known.pending, pending))
    return { offered, held, added, isFirst: false, next: known };
  const fresh = added.flatMap((name) => [[name, pins.get(name)] as const]).filter(isPinned);
  const next = { server, tools: new Map([...known.tools, ...fresh]), ...(pending !== undefined && { pending }) };
  return { offered, held, added, isFirst: false, next };
}

/**
 * The pins once the person accepted what waits: one tool (`tool`), or all. Undefined when nothing of it waits, or when that is no
 * longer what they were shown (`shown`; without it, whatever waits).
 */
export function acceptPending(known: ServerPins, tool?: string, shown?: PendingPins): ServerPins | undefined {
  const { pending } = known;
  if (pending === undefined || (shown !== undefined && shown.server !== pending.server)) return undefined;
  const isShown = ([name, { hash }]: readonly [string, ToolPin]): boolean =>
    shown === undefined || shown.tools.get(name)?.hash === hash;
  // Another server is accepted as a whole: of the old one nothing counts any more.
  if (pending.server !== known.server)
    return tool === undefined && [...pending.tools].every(isShown)
      ? { server: pending.server, tools: pending.tools }
      : undefined;
  const isWanted = (each: readonly [string, ToolPin]): boolean =>
    (tool === undefined || each[0] === tool) && isShown(each);
  const wanted = [...pending.tools].filter(isWanted);
  if (wanted.length === 0) return undefined;
  const left = new Map([...pending.tools].filter((each) => !isWanted(each)));
  return {
    server: known.server,
    tools: new Map([...known.tools, ...wanted]),
    ...(left.size > 0 && { pending: { server: pending.server, tools: left } }),
  };
}

function isPinned(pair: readonly [string, ToolPin | undefined]): pair is readonly [string, ToolPin] {
  return pair[1] !== undefined;
}

function samePins(one: PendingPins | undefined, other: PendingPins | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.server !== other.server || one.tools.size !== other.tools.size) return false;
  return [...one.tools].every(([name, { hash }]) => other.tools.get(name)?.hash === hash);
}
