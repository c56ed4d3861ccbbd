import type { AgentContext, ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk';

/** What a session uses of the connection. */
export interface AcpClient {
  readonly context: Pick<AgentContext, 'request' | 'notify'>;
  readonly capabilities: ClientCapabilities;
}

/** One session as the client knows it. */
export interface ClientSession extends AcpClient {
  readonly sessionId: string;
  /** In order, all of them before anything that is sent later. Never rejects: who went away is told nothing. */
  readonly update: (update: SessionUpdate) => Promise<void>;
}

export function clientSession(client: AcpClient, sessionId: string): ClientSession {
  const update = async (change: SessionUpdate): Promise<void> => {
    try {
      await client.context.notify('session/update', { sessionId, update: change });
    } catch {
      // The connection is closed; the session ends with it.
    }
  };
  return { ...client, sessionId, update };
}

export function canAskByForm({ capabilities }: AcpClient): boolean {
  return isThere(capabilities.elicitation?.form);
}

export function canAskByPage({ capabilities }: AcpClient): boolean {
  return isThere(capabilities.elicitation?.url);
}

export function showsNotices({ capabilities }: AcpClient): boolean {
  return isThere(capabilities.session?.notices);
}

/** `{}` is there; what is left out or null is not. */
function isThere(capability: object | null | undefined): boolean {
  return capability !== undefined && capability !== null;
}
