import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isIP } from 'node:net';
import { readFirstBytes } from './client-hello.js';
import { readHost, type HostAndPort } from './host-name.js';

export interface Tunnel {
  readonly client: Duplex;
  /** Connected; may be half open. */
  readonly server: Socket;
  readonly idleMs: number;
  /** Whom the client may ask for in TLS; undefined: it speaks what it likes. */
  readonly only?: HostAndPort & {
    /** Nothing but TLS goes through. */
    readonly mustBeTls: boolean;
    /** Until it has said whom it asks for. */
    readonly headMs: number;
  };
  readonly refused?: (message: string) => void;
}

/** Carries bytes both ways until both sides have ended, or one breaks off. */
export function openTunnel(tunnel: Tunnel): void {
  const { client, server, idleMs, only } = tunnel;
  if (client.destroyed) {
    server.destroy();
    return;
  }
  server.setTimeout(idleMs, () => server.destroy());
  server.on('error', () => undefined);
  client.on('error', () => undefined);
  client.on('close', () => {
    if (!client.readableEnded) server.destroy();
  });
  server.on('close', () => {
    // What came before the end may still be on its way to the client.
    if (!server.readableEnded) client.destroy();
  });
  server.pipe(client);
  if (only === undefined) client.pipe(server);
  else judgeFirstBytes(tunnel, only);
}

/** A tunnel to a host's port leads to many hosts where they share an address: the one that TLS asks for is compared. */
function judgeFirstBytes({ client, server, refused }: Tunnel, only: NonNullable<Tunnel['only']>): void {
  let bytes: Buffer = Buffer.alloc(0);
  const stop = (): void => {
    server.destroy();
    client.destroy();
  };
  const timer = only.mustBeTls ? setTimeout(stop, only.headMs).unref() : undefined;
  client.once('close', () => clearTimeout(timer));
  const pass = (): void => {
    clearTimeout(timer);
    client.off('data', take);
    client.off('end', ended);
    client.pause();
    if (bytes.length > 0) server.write(bytes);
    if (client.readableEnded) server.end();
    else client.pipe(server);
  };
  const take = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const problem = problemOf(bytes, only);
    if (problem === 'not yet') return;
    if (problem === undefined) {
      pass();
      return;
    }
    client.off('data', take);
    refused?.(problem);
    stop();
  };
  const ended = only.mustBeTls ? stop : pass;
  if (client.readableEnded) {
    ended();
    return;
  }
  client.on('data', take);
  client.on('end', ended);
}

function problemOf(bytes: Buffer, { host, port, mustBeTls }: NonNullable<Tunnel['only']>): string | undefined {
  const first = readFirstBytes(bytes);
  const tunnel = `The connection to ${host}:${port} was ended:`;
  switch (first.kind) {
    case 'more':
      return 'not yet';
    case 'not-tls':
      return mustBeTls ? `${tunnel} only TLS goes to port ${port}, and that was something else.` : undefined;
    case 'broken':
      return `${tunnel} ${first.problem}.`;
    case 'hello': {
      if (isIP(host) !== 0) return undefined;
      const { serverName } = first;
      if (serverName === undefined) return `${tunnel} its client does not say which server it asks for (SNI).`;
      const asked = readHost(serverName);
      return asked === host
        ? undefined
        : `${tunnel} its client asks for another server, ${asked ?? JSON.stringify(serverName.slice(0, 100))}.`;
    }
    default:
      return first satisfies never;
  }
}
