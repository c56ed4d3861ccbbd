import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllowedHosts, localPorts } from './allowed-hosts.js';
import type { ResolveHost } from './connect-checked.js';
import { HostProxy, type ProxyLimits } from './host-proxy.js';
import { NetworkLink } from './network-link.js';

/** A host that the list denied to a command. */
export interface RefusedHost {
  readonly host: string;
  /** One or two sentences. */
  readonly message: string;
}

/** The way of one command to the hosts of the list; open until `close`. */
export interface OpenLink {
  /** The command's ends: descriptors of this process, and their names for whoever cannot be given descriptors. */
  readonly ends: readonly [input: LinkEnd, output: LinkEnd];
  /** Where the proxy answers inside. */
  readonly proxyPort: number;
  readonly localPorts: readonly number[];
  /** What was refused so far, each host once. */
  refused(): readonly RefusedHost[];
  /** Ends every connection and lets go of everything. */
  close(): void;
}

export interface LinkEnd {
  readonly descriptor: number;
  readonly path: string;
  readonly mode: 'read' | 'write';
}

export interface LinkSettings {
  /** Entries of the list, as they were written. */
  readonly hosts: readonly string[];
  /** A folder of our own that no command sees. */
  readonly folder: string;
  /** Whether the ends keep their names while it is open. */
  readonly areNamed: boolean;
  readonly resolve?: ResolveHost;
  readonly limits?: Partial<ProxyLimits> & { readonly connections?: number };
}

const MOST_CONNECTIONS = 128;
const MOST_REFUSED = 20;
/** Below the ports that a system gives out by itself. */
const FIRST_PROXY_PORT = 17_788;
const run = promisify(execFile);

/**
 * Opens one. The two streams are FIFOs, not sockets: what gets a terminal can be given no descriptors, but names.
 * @throws the system's error
 */
export async function openLink({ hosts, folder, areNamed, resolve, limits = {} }: LinkSettings): Promise<OpenLink> {
  const allowed = parseAllowedHosts(hosts);
  const refused = new Map<string, RefusedHost>();
  const fifos = await makeFifos(folder);
  if (!areNamed) for (const { path } of fifos.ends) unlinkQuietly(path);
  const proxy = new HostProxy({
    hosts: allowed,
    limits,
    ...(resolve === undefined ? {} : { resolve }),
    refused: (host, message) => {
      if (refused.size < MOST_REFUSED && !refused.has(host)) refused.set(host, { host, message });
    },
  });
  const link = new NetworkLink({
    input: new Socket({ fd: fifos.ourInput, readable: true, writable: false }),
    output: new Socket({ fd: fifos.ourOutput, readable: false, writable: true }),
    mostConnections: limits.connections ?? MOST_CONNECTIONS,
    accept: (connection, port) => {
      if (port === 0) proxy.accept(connection);
      else void proxy.acceptLocal(connection, port).catch(() => connection.destroy());
    },
  });
  const ports = localPorts(allowed);
  let proxyPort = FIRST_PROXY_PORT;
  while (ports.includes(proxyPort)) proxyPort += 1;
  let isOpen = true;
  return {
    ends: fifos.ends,
    proxyPort,
    localPorts: ports,
    refused: () => [...refused.values()],
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      link.close();
      for (const { descriptor, path } of fifos.ends) {
        closeSync(descriptor);
        if (areNamed) unlinkQuietly(path);
      }
    },
  };
}

interface Fifos {
  readonly ends: OpenLink['ends'];
  readonly ourInput: number;
  readonly ourOutput: number;
}

async function makeFifos(folder: string): Promise<Fifos> {
  const toInside = join(folder, `link-${randomUUID()}`);
  const toUs = join(folder, `link-${randomUUID()}`);
  const opened: number[] = [];
  const open = (path: string, flags: number): number => {
    const descriptor = openSync(path, flags | constants.O_NOFOLLOW);
    opened.push(descriptor);
    if (!fstatSync(descriptor).isFIFO()) throw new Error('no FIFO');
    return descriptor;
  };
  try {
    await run('mkfifo', ['-m', '600', toInside, toUs], { timeout: 5000 });
    // A reader first, without waiting: opening the other end then waits for nobody.
    const input = open(toInside, constants.O_RDONLY | constants.O_NONBLOCK);
    const ourOutput = open(toInside, constants.O_WRONLY | constants.O_NONBLOCK);
    const ourInput = open(toUs, constants.O_RDONLY | constants.O_NONBLOCK);
    const output = open(toUs, constants.O_WRONLY | constants.O_NONBLOCK);
    return {
      ends: [
        { descriptor: input, path: toInside, mode: 'read' },
        { descriptor: output, path: toUs, mode: 'write' },
      ],
      ourInput,
      ourOutput,
    };
  } catch (thrown) {
    for (const descriptor of opened) closeSync(descriptor);
    for (const path of [toInside, toUs]) unlinkQuietly(path);
    throw thrown;
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone, or was never made.
  }
}
