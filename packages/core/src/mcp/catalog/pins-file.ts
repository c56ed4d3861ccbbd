import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { changeOwnerFile, readOwnerFile } from '../../util/owner-file.js';
import { Failure } from '../../util/failure.js';
import { describeServer } from '../describe-definition.js';
import type { ServerDefinition } from '../server-definition.js';
import type { CleanDefinition } from './clean-definition.js';
import { isObject } from '../../util/is-object.js';
import {
  acceptPending,
  describeAll,
  judgeLost,
  judgePins,
  type Offer,
  type PendingPins,
  type PinVerdict,
  type ServerPins,
} from './judge-pins.js';
import { describeChange, describeNew, type ToolPin } from './tool-pin.js';

const FILE = 'mcp.lock.json';
const WAITING_FILE = 'mcp.lock.waiting.json';
const LARGEST = 64 * 1024 * 1024;
/** Of one server, in characters. A server that names ever new tools must not make the file one that is not read any more. */
const LARGEST_SERVER = 8 * 1024 * 1024;
/** Of that, words for comparisons; beyond it hashes alone are kept. */
const MOST_SAID = 1024 * 1024;

/** One change that waits for the person. `tool` is undefined where the server itself is another. */
export interface PendingChange {
  readonly alias: string;
  readonly tool?: string;
  /** Lines, old behind `-` and new behind `+`. Untrusted. */
  readonly change: string;
}

type AllPins = ReadonlyMap<string, ServerPins>;

/**
 * What the tools of servers were when they were let in, kept in the project's own folder: `mcp.lock.json`, readable and
 * written by the person only. Where it cannot be believed it is left as it is, all tools wait, and what waits is kept beside it
 * until the person mends it or accepts something.
 */
export class ToolPins {
  readonly #file: string;
  /** What servers said while the file itself could not be believed. */
  readonly #waitingFile: string;

  /** `folder`: the project's own folder below Tenon's. */
  constructor(folder: string) {
    this.#file = join(folder, FILE);
    this.#waitingFile = join(folder, WAITING_FILE);
  }

  /** Remembers what was never seen, and what waits. @throws Failure `file_locked`, `mcp_pins_full`, `mcp_pins_damaged`, and the system's errors */
  async judge(
    definition: ServerDefinition,
    tools: readonly CleanDefinition[],
    { excluded = [], letsNewIn = false }: Omit<Offer, 'tools'> = {},
  ): Promise<PinVerdict> {
    const { alias, trust } = definition;
    const server = serverText(definition);
    const offer = { tools, excluded, letsNewIn: trust || letsNewIn };
    const read = readPins(this.#file);
    if ('problem' in read) {
      const lost = { server, why: read.problem };
      return this.#remember(this.#waitingFile, alias, (known) => judgeLost(known, lost, offer));
    }
    return this.#remember(this.#file, alias, (known) => judgePins(known, server, offer));
  }

  /** Why the file is not believed, and what to do; undefined when it is, or is not there. */
  problem(): string | undefined {
    const read = readPins(this.#file);
    return 'problem' in read ? this.#damaged(read.problem).message : undefined;
  }

  pending(): readonly PendingChange[] {
    const { pins, isLost } = this.#known();
    if (!isLost) return changesOf(pins);
    return [...pins].flatMap(([alias, { pending }]) =>
      pending === undefined ? [] : [{ alias, change: describeAll(pending) }],
    );
  }

  /** What of one server waits, to be accepted as it is shown. */
  waiting(alias: string): PendingPins | undefined {
    return this.#known().pins.get(alias)?.pending;
  }

  /**
   * False when nothing of it waits. `tools`: one, or some, as the server calls them. `shown`: what the person saw; what is something
   * else by now is not let in. A file that is not believed is set aside as `….damaged-…` and written anew; what other servers said
   * since it was waits in it.
   */
  async accept(alias: string, tools?: string | readonly string[], shown?: PendingPins): Promise<boolean> {
    const wanted = typeof tools === 'string' ? [tools] : tools;
    const { pins, isLost } = this.#known();
    const accepted = (all: AllPins): AllPins | undefined => {
      const known = all.get(alias);
      const next = known === undefined ? undefined : acceptPending(known, wanted, shown);
      return next === undefined ? undefined : new Map([...all, [alias, next]]);
    };
    if (accepted(pins) === undefined) return false;
    let isAccepted = false;
    await changePins(this.#file, (sound) => {
      const all = sound ?? (isLost ? pins : new Map<string, ServerPins>());
      const next = accepted(all);
      isAccepted = next !== undefined;
      return next ?? all;
    });
    await rm(this.#waitingFile, { force: true });
    return isAccepted;
  }

  /** Keeps `next` of the verdict where it is something else. */
  async #remember(
    file: string,
    alias: string,
    judge: (known: ServerPins | undefined) => PinVerdict,
  ): Promise<PinVerdict> {
    const read = readPins(file);
    const known = 'pins' in read ? read.pins.get(alias) : undefined;
    let verdict = judge(known);
    if (verdict.next === known) return verdict;
    const isMain = file === this.#file;
    await changePins(
      file,
      (sound = new Map()) => {
        const now = sound.get(alias);
        verdict = judge(now);
        return verdict.next === now ? sound : new Map([...sound, [alias, verdict.next]]);
      },
      // It was sound a moment ago, and is never replaced without the person's word.
      isMain ? (problem) => this.#damaged(problem) : undefined,
    );
    if (isMain) await rm(this.#waitingFile, { force: true });
    return verdict;
  }

  /** What is believed; where that is lost, what servers said since. */
  #known(): { readonly pins: AllPins; readonly isLost: boolean } {
    const read = readPins(this.#file);
    if ('pins' in read) return { pins: read.pins, isLost: false };
    const waiting = readPins(this.#waitingFile);
    return { pins: 'pins' in waiting ? waiting.pins : new Map(), isLost: true };
  }

  #damaged(problem: string): Failure {
    return new Failure(
      'mcp_pins_damaged',
      `${this.#file} cannot be believed: ${problem.replace(/\.$/, '')}. Until that is settled, all tools of servers are held back. Mend the file, or let servers in again with \`tenon mcp accept\`, which writes it anew and keeps this one beside it as ${FILE}.damaged-….`,
    );
  }
}

/** No pins where there is no file. */
function readPins(file: string): { readonly pins: AllPins } | { readonly problem: string } {
  const read = readOwnerFile(file, LARGEST);
  if (read === undefined) return { pins: new Map() };
  if ('problem' in read) return read;
  const pins = parse(read.text);
  return pins === undefined ? { problem: 'it is damaged' } : { pins };
}

/** `change` gets undefined where there is no file, or one that is not believed: that is set aside, or refused. */
async function changePins(
  file: string,
  change: (sound: AllPins | undefined) => AllPins,
  refuse?: (problem: string) => Failure,
): Promise<void> {
  await changeOwnerFile(file, {
    largest: LARGEST,
    isSound: (text) => parse(text) !== undefined,
    change: (text) => print(change(text === undefined ? undefined : parse(text))),
    ...(refuse !== undefined && { refuse }),
  });
}

function changesOf(all: AllPins): PendingChange[] {
  return [...all].flatMap(([alias, { server, tools, pending }]): PendingChange[] => {
    if (pending === undefined) return [];
    if (pending.server !== server) return [{ alias, change: `- ${server}\n+ ${pending.server}` }];
    return [...pending.tools].map(([tool, now]) => {
      const before = tools.get(tool);
      return { alias, tool, change: before === undefined ? describeNew(now) : describeChange(before, now) };
    });
  });
}

/** How a server is started or reached, without what is secret: a new token does not make it another. */
function serverText({ transport }: ServerDefinition): string {
  return describeServer(
    transport.kind === 'stdio'
      ? { command: transport.command, args: transport.args, cwd: transport.cwd, env: transport.env }
      : { url: transport.url, headers: transport.headers, headersHelper: transport.headersHelper?.argv },
  );
}

/** @throws Failure `mcp_pins_full` rather than make a file that would not be read */
function print(all: AllPins): string {
  const servers = [...all].map(([alias, pins]) => [alias, printable(alias, pins)]);
  const text = `${JSON.stringify({ version: 1, servers: Object.fromEntries(servers) }, null, 1)}\n`;
  if (Buffer.byteLength(text) > LARGEST) throw full('All servers together have');
  return text;
}

function printable(alias: string, { server, tools: known, pending }: ServerPins): object {
  const tools = (pins: ReadonlyMap<string, ToolPin>): object => {
    let room = MOST_SAID;
    return Object.fromEntries(
      [...pins].map(([name, { hash, said }]) => {
        for (const [what, words] of said) room -= what.length + words.length;
        return [name, { hash, said: room < 0 ? {} : Object.fromEntries(said) }];
      }),
    );
  };
  const whole = {
    server,
    tools: tools(known),
    ...(pending && { pending: { server: pending.server, tools: tools(pending.tools) } }),
  };
  if (JSON.stringify(whole).length > LARGEST_SERVER) throw full(`The server "${alias}" has`);
  return whole;
}

function full(who: string): Failure {
  return new Failure(
    'mcp_pins_full',
    `${who} named more tools by now than are remembered; new ones are left out. Take the server out if you do not know why.`,
  );
}

/** Undefined for anything that `print` did not make. */
function parse(text: string): AllPins | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (!isObject(read) || read['version'] !== 1 || !isObject(read['servers'])) return undefined;
    return new Map(Object.entries(read['servers']).map(([alias, server]) => [alias, serverOf(server)]));
  } catch {
    return undefined;
  }
}

function serverOf(value: unknown): ServerPins {
  if (!isObject(value) || typeof value['server'] !== 'string') throw new TypeError('no server');
  const { server, pending } = value;
  const tools = toolsOf(value['tools']);
  if (pending === undefined) return { server, tools };
  if (!isObject(pending) || typeof pending['server'] !== 'string') throw new TypeError('no server');
  return { server, tools, pending: { server: pending['server'], tools: toolsOf(pending['tools']) } };
}

function toolsOf(value: unknown): ReadonlyMap<string, ToolPin> {
  if (!isObject(value)) throw new TypeError('no tools');
  return new Map(
    Object.entries(value).map(([name, pin]) => {
      if (!isObject(pin) || typeof pin['hash'] !== 'string' || !isObject(pin['said'])) throw new TypeError('no pin');
      const said = new Map(Object.entries(pin['said']).map(([what, words]) => [what, String(words)]));
      return [name, { hash: pin['hash'], said }];
    }),
  );
}
