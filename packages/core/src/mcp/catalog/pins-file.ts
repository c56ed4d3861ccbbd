import { join } from 'node:path';
import { changeOwnerFile, readOwnerFile } from '../../util/owner-file.js';
import { Failure } from '../../util/failure.js';
import { describeServer } from '../describe-definition.js';
import type { ServerDefinition } from '../server-definition.js';
import type { CleanDefinition } from './clean-definition.js';
import { isRecord } from './content-parts.js';
import { acceptPending, judgePins, type PendingPins, type PinVerdict, type ServerPins } from './judge-pins.js';
import { describeChange, type ToolPin } from './tool-pin.js';

const FILE = 'mcp.lock.json';
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

/**
 * What the tools of servers were when they were let in, kept in the project's own folder: `mcp.lock.json`, readable and
 * written by the person only.
 */
export class ToolPins {
  readonly #file: string;

  /** `folder`: the project's own folder below Tenon's. */
  constructor(folder: string) {
    this.#file = join(folder, FILE);
  }

  /** Remembers what was never seen, and what waits. @throws Failure `file_locked`, `mcp_pins_full`, and the system's errors */
  async judge(definition: ServerDefinition, tools: readonly CleanDefinition[]): Promise<PinVerdict> {
    const server = serverText(definition);
    const judged = judgePins(this.#read().get(definition.alias), server, tools);
    if (judged.next === this.#read().get(definition.alias)) return judged;
    let verdict = judged;
    await this.#change((all) => {
      const known = all.get(definition.alias);
      verdict = judgePins(known, server, tools);
      return verdict.next === known ? all : new Map([...all, [definition.alias, verdict.next]]);
    });
    return verdict;
  }

  /** Why the file is not believed: then all tools count as never seen. */
  problem(): string | undefined {
    const read = readOwnerFile(this.#file, LARGEST);
    if (read === undefined) return undefined;
    if ('problem' in read) return read.problem;
    return parse(read.text) === undefined ? 'it is damaged' : undefined;
  }

  pending(): readonly PendingChange[] {
    return changesOf(this.#read());
  }

  /** What of one server waits, to be accepted as it is shown. */
  waiting(alias: string): PendingPins | undefined {
    return this.#read().get(alias)?.pending;
  }

  /**
   * False when nothing of it waits. `tool`: one only, as the server calls it. `shown`: what the person saw; what is something
   * else by now is not let in.
   */
  async accept(alias: string, tool?: string, shown?: PendingPins): Promise<boolean> {
    let accepted = false;
    await this.#change((all) => {
      const known = all.get(alias);
      const next = known === undefined ? undefined : acceptPending(known, tool, shown);
      accepted = next !== undefined;
      return next === undefined ? all : new Map([...all, [alias, next]]);
    });
    return accepted;
  }

  #read(): ReadonlyMap<string, ServerPins> {
    const read = readOwnerFile(this.#file, LARGEST);
    return (read !== undefined && 'text' in read ? parse(read.text) : undefined) ?? new Map();
  }

  async #change(change: (all: ReadonlyMap<string, ServerPins>) => ReadonlyMap<string, ServerPins>): Promise<void> {
    await changeOwnerFile(this.#file, {
      largest: LARGEST,
      isSound: (text) => parse(text) !== undefined,
      change: (text) => print(change((text === undefined ? undefined : parse(text)) ?? new Map())),
    });
  }
}

function changesOf(all: ReadonlyMap<string, ServerPins>): PendingChange[] {
  return [...all].flatMap(([alias, { server, tools, pending }]): PendingChange[] => {
    if (pending === undefined) return [];
    if (pending.server !== server) return [{ alias, change: `- ${server}\n+ ${pending.server}` }];
    return [...pending.tools].map(([tool, now]) => {
      const before = tools.get(tool);
      return { alias, tool, change: before === undefined ? 'It is new.' : describeChange(before, now) };
    });
  });
}

/** How a server is started or reached, without what is secret: a new token does not make it another. */
function serverText({ transport }: ServerDefinition): string {
  return describeServer(
    transport.kind === 'stdio'
      ? { command: transport.command, args: transport.args, cwd: transport.cwd, env: transport.env }
      : { url: transport.url, headers: transport.headers },
  );
}

/** @throws Failure `mcp_pins_full` rather than make a file that would not be read */
function print(all: ReadonlyMap<string, ServerPins>): string {
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
function parse(text: string): ReadonlyMap<string, ServerPins> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (!isRecord(read) || read['version'] !== 1 || !isRecord(read['servers'])) return undefined;
    return new Map(Object.entries(read['servers']).map(([alias, server]) => [alias, serverOf(server)]));
  } catch {
    return undefined;
  }
}

function serverOf(value: unknown): ServerPins {
  if (!isRecord(value) || typeof value['server'] !== 'string') throw new TypeError('no server');
  const { server, pending } = value;
  const tools = toolsOf(value['tools']);
  if (pending === undefined) return { server, tools };
  if (!isRecord(pending) || typeof pending['server'] !== 'string') throw new TypeError('no server');
  return { server, tools, pending: { server: pending['server'], tools: toolsOf(pending['tools']) } };
}

function toolsOf(value: unknown): ReadonlyMap<string, ToolPin> {
  if (!isRecord(value)) throw new TypeError('no tools');
  return new Map(
    Object.entries(value).map(([name, pin]) => {
      if (!isRecord(pin) || typeof pin['hash'] !== 'string' || !isRecord(pin['said'])) throw new TypeError('no pin');
      const said = new Map(Object.entries(pin['said']).map(([what, words]) => [what, String(words)]));
      return [name, { hash: pin['hash'], said }];
    }),
  );
}
