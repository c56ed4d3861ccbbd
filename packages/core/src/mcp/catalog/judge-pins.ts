import type { CleanDefinition } from './clean-definition.js';
import { describeChange, describeNew, pinOf, type ToolPin } from './tool-pin.js';

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
  /** The server itself is another, or nothing is known of it any more: all of its tools are held, and let in together. */
  readonly isServer: boolean;
  /** It was not there when the server was let in. */
  readonly isNew: boolean;
}

/** What a server offers. */
export interface Offer {
  readonly tools: readonly CleanDefinition[];
  /** Tools that the settings leave out: those that were there from the beginning are not new when they are taken in later. */
  readonly excluded?: readonly CleanDefinition[];
  /** Tools that a known server did not have before are let in as well. */
  readonly letsNewIn?: boolean;
}

export interface PinVerdict {
  readonly offered: readonly CleanDefinition[];
  /** Not offered and not called until the person accepts what they are now. */
  readonly held: readonly HeldTool[];
  /** Names of tools that a known server did not have before and that were let in. */
  readonly added: readonly string[];
  /** The server was never seen. */
  readonly isFirst: boolean;
  /** The same object as before when there is nothing to remember. */
  readonly next: ServerPins;
}

/** More than this, and only hashes and beginnings are kept. */
const MOST_WHOLE = 200;

/**
 * What of a server's tools may be offered: all on first sight, and those that are what they were. One that changed or is new is
 * held back; all are when the server itself is started or reached in another way. A tool that went away is remembered.
 */
export function judgePins(known: ServerPins | undefined, server: string, offer: Offer): PinVerdict {
  const { tools } = offer;
  const pins = pinsOf(offer);
  if (known === undefined) return { offered: tools, held: [], added: [], isFirst: true, next: { server, tools: pins } };
  if (known.server !== server) {
    const change = `The server is another now.\n- ${known.server}\n+ ${server}`;
    const next = { ...known, pending: { server, tools: pins } };
    return allHeld(tools, { change, isNew: false }, samePins(known.pending, next.pending) ? known : next);
  }
  return judgeEach(known, pins, offer);
}

/** Where what was known is lost: nothing is let in, and all waits. `waiting`: what was remembered of it since. */
export function judgeLost(
  waiting: ServerPins | undefined,
  { server, why }: { readonly server: string; readonly why: string },
  offer: Offer,
): PinVerdict {
  const pending = { server, tools: pinsOf(offer) };
  const isSame = waiting?.server === server && samePins(waiting.pending, pending);
  const next = waiting !== undefined && isSame ? waiting : { server, tools: new Map<string, ToolPin>(), pending };
  const shown = { server, tools: pinsOf({ tools: offer.tools }) };
  const change = `What was known of this server cannot be believed (${why}).\n${describeAll(shown)}`;
  return allHeld(offer.tools, { change, isNew: true }, next);
}

/** A server with all its tools, none of which was known. */
export function describeAll({ server, tools }: PendingPins): string {
  const lines = [...tools].map(([name, { said }]) => `${name}: ${said.get('description') ?? ''}`);
  return [server, ...lines].map((line) => `+ ${line.replaceAll('\n', ' ')}`).join('\n');
}

function allHeld(
  tools: readonly CleanDefinition[],
  { change, isNew }: { readonly change: string; readonly isNew: boolean },
  next: ServerPins,
): PinVerdict {
  const held = tools.map((tool) => ({ tool, change, isServer: true, isNew }));
  return { offered: [], held, added: [], isFirst: false, next };
}

/** Tool by tool, of a server that is what it was. */
function judgeEach(known: ServerPins, pins: ReadonlyMap<string, ToolPin>, offer: Offer): PinVerdict {
  const held: HeldTool[] = [];
  const offered: CleanDefinition[] = [];
  const [fresh, waiting] = [new Map<string, ToolPin>(), new Map<string, ToolPin>()];
  for (const tool of offer.tools) {
    const { serverName } = tool;
    const [before, now] = [known.tools.get(serverName), pins.get(serverName)];
    if (now === undefined) continue;
    const isNew = before === undefined;
    if (isNew && offer.letsNewIn === true) fresh.set(serverName, now);
    else if (before?.hash !== now.hash) {
      held.push({ tool, change: isNew ? describeNew(now) : describeChange(before, now), isServer: false, isNew });
      waiting.set(serverName, now);
      continue;
    }
    offered.push(tool);
  }
  const pending = waiting.size === 0 ? undefined : { server: known.server, tools: waiting };
  const verdict = { offered, held, added: [...fresh.keys()], isFirst: false };
  if (fresh.size === 0 && samePins(known.pending, pending)) return { ...verdict, next: known };
  const tools = new Map([...known.tools, ...fresh]);
  return { ...verdict, next: { server: known.server, tools, ...(pending !== undefined && { pending }) } };
}

function pinsOf({ tools, excluded = [] }: Offer): ReadonlyMap<string, ToolPin> {
  const all = [...excluded, ...tools];
  const isOne = all.length <= MOST_WHOLE;
  return new Map(all.map((tool) => [tool.serverName, pinOf(tool, isOne)]));
}

/**
 * The pins once the person accepted what waits: some tools (`wanted`), or all. Undefined when nothing of it waits, or when that is no
 * longer what they were shown (`shown`; without it, whatever waits).
 */
export function acceptPending(
  known: ServerPins,
  wanted?: readonly string[],
  shown?: PendingPins,
): ServerPins | undefined {
  const { pending } = known;
  if (pending === undefined || (shown !== undefined && shown.server !== pending.server)) return undefined;
  const isShown = ([name, { hash }]: readonly [string, ToolPin]): boolean =>
    shown === undefined || shown.tools.get(name)?.hash === hash;
  // Another server is accepted as a whole: of the old one nothing counts any more.
  if (pending.server !== known.server)
    return wanted === undefined && [...pending.tools].every(isShown)
      ? { server: pending.server, tools: pending.tools }
      : undefined;
  const isWanted = (each: readonly [string, ToolPin]): boolean => wanted?.includes(each[0]) !== false && isShown(each);
  const accepted = [...pending.tools].filter(isWanted);
  if (accepted.length === 0) return undefined;
  const left = new Map([...pending.tools].filter((each) => !isWanted(each)));
  return {
    server: known.server,
    tools: new Map([...known.tools, ...accepted]),
    ...(left.size > 0 && { pending: { server: pending.server, tools: left } }),
  };
}

function samePins(one: PendingPins | undefined, other: PendingPins | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.server !== other.server || one.tools.size !== other.tools.size) return false;
  return [...one.tools].every(([name, { hash }]) => other.tools.get(name)?.hash === hash);
}
