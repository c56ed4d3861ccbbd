import { Readable } from 'node:stream';
import {
  agent,
  methods,
  ndJsonStream,
  type AgentApp,
  type AgentConnection,
  type Stream,
} from '@agentclientprotocol/sdk';
import { whenAborted } from '@tenon/core';
import { ExitCode } from '../../exit-codes.js';
import type { Surroundings } from '../../surroundings.js';
import { sayLines } from '../../ui/say.js';
import { AcpServer } from './acp-server.js';
import { answering } from './errors.js';
import { FORK_METHOD, parseForkRequest } from './fork-request.js';
import type { DoorServices } from './open-session.js';
import { readPrompt } from './prompt-content.js';

/** A picture may be large; more than this is no message. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** `tenon acp`: until the client, or a signal, ends it. Standard output carries the protocol and nothing else. */
export async function runAcp(services: DoorServices): Promise<ExitCode> {
  const { surroundings } = services;
  const armed = surroundings.interrupts.arm();
  const server = new AcpServer(services);
  if (surroundings.stdin().isTTY === true) {
    const words =
      'Waiting for the Agent Client Protocol on standard input. This is meant to be started by an editor; Ctrl-C ends it.';
    await sayLines(surroundings.err, [words]);
  }
  const connection = acpApp(server).connect(streamOf(surroundings));
  try {
    await Promise.race([connection.closed, whenAborted(armed.signal), whenAborted(surroundings.out.closed)]);
    return armed.signal.aborted ? ExitCode.INTERRUPTED : ExitCode.OK;
  } finally {
    await closeAll(server, connection);
    armed.release();
  }
}

async function closeAll(server: AcpServer, connection: AgentConnection): Promise<void> {
  // Who waits for an answer of the client must not wait for ever.
  connection.close();
  await server.close();
}

/** Every method, each answered by `server`. */
export function acpApp(server: AcpServer): AgentApp {
  const { agent: of } = methods;
  return agent({ name: 'tenon' })
    .onRequest(of.initialize, ({ params }) => server.initialize(params))
    .onRequest(of.authenticate, ({ params }) => answering(() => server.authenticate(params.methodId)))
    .onRequest(of.logout, () => answering(() => server.logout()))
    .onRequest(of.session.new, ({ params, client }) => answering(() => server.newSession(params, client)))
    .onRequest(of.session.load, ({ params, client }) => answering(() => server.loadSession(params, client)))
    .onRequest(of.session.resume, ({ params, client }) => answering(() => server.resumeSession(params, client)))
    .onRequest(FORK_METHOD, parseForkRequest, ({ params, client }) =>
      answering(() => server.forkSession(params, client)),
    )
    .onRequest(of.session.list, ({ params }) => answering(() => server.listSessions(params)))
    .onRequest(of.session.close, ({ params }) => answering(() => server.closeSession(params.sessionId)))
    .onRequest(of.session.delete, ({ params }) => answering(() => server.deleteSession(params.sessionId)))
    .onRequest(of.session.setMode, ({ params }) => answering(() => server.setMode(params.sessionId, params.modeId)))
    .onRequest(of.session.setConfigOption, ({ params }) => answering(() => server.setConfigOption(params)))
    .onRequest(of.session.prompt, ({ params, signal }) =>
      answering(() => server.session(params.sessionId).prompt(readPrompt(params.prompt), signal)),
    )
    .onNotification(of.session.cancel, ({ params }) => server.cancel(params.sessionId));
}

function streamOf({ stdin, out }: Pick<Surroundings, 'stdin' | 'out'>): Stream {
  const decoder = new TextDecoder();
  const output = new WritableStream<Uint8Array>({
    write: (bytes) => out.writeData(decoder.decode(bytes, { stream: true })),
  });
  const input = Readable.toWeb(Readable.from(stdin())) as ReadableStream<Uint8Array>;
  return ndJsonStream(output, input, { maxMessageBytes: MAX_MESSAGE_BYTES });
}
