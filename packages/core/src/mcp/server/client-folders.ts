import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { errorMessage } from '../../util/failure.js';
import { stateOf, type Asking, type Serving } from './serving.js';

/** A client that declares roots answers at once; one that does not must not hold up calls for ever. */
const ROOTS_TIMEOUT_MS = 10_000;
const ROOTS_KEY = 'roots';

/** What a client can do, in both eras: of the request where it says so, of the handshake else. */
export function capabilitiesOf(server: Server, context: ServerContext): Readonly<Record<string, unknown>> {
  const envelope: Record<string, unknown> = { ...context.mcpReq.envelope };
  const declared = envelope['io.modelcontextprotocol/clientCapabilities'] ?? server.getClientCapabilities();
  return typeof declared === 'object' && declared !== null ? { ...declared } : {};
}

/** True for a client that shows forms: before there were other modes, to declare it at all meant that. */
export function canAsk(capabilities: Readonly<Record<string, unknown>>): boolean {
  const declared = capabilities['elicitation'];
  if (typeof declared !== 'object' || declared === null) return false;
  return 'form' in declared || !('url' in declared);
}

/** The addresses of a client's folders; undefined when it has none to tell; or what it must be asked first. */
export type FoldersAnswer = { readonly roots: readonly string[] | undefined } | { readonly asking: Asking };

export interface ClientFolders {
  of(context: ServerContext): Promise<FoldersAnswer>;
  /** For requests in which nothing can be asked: as far as it is known without a question. */
  known(context: ServerContext): Promise<readonly string[] | undefined>;
}

/** With a handshake: asked for once, and again when the client says that they changed. */
export function legacyFolders(server: Server, { report }: Serving): ClientFolders {
  let known: Promise<readonly string[] | undefined> | undefined;
  const ask = async ({ mcpReq }: ServerContext): Promise<readonly string[] | undefined> => {
    if (server.getClientCapabilities()?.roots === undefined) return undefined;
    try {
      // Beside the request that needs it: a client over HTTP need not listen for others.
      const { roots } = await mcpReq.send({ method: 'roots/list' }, { timeout: ROOTS_TIMEOUT_MS });
      return roots.map(({ uri }) => uri);
    } catch (thrown) {
      // Given up with the request that asked: that says nothing of the client's folders.
      mcpReq.signal.throwIfAborted();
      report(`The client did not tell its roots (${errorMessage(thrown)}): the folders of the start are used.`);
      return undefined;
    }
  };
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    known = undefined;
  });
  const rootsOf = async (context: ServerContext): Promise<readonly string[] | undefined> => {
    for (;;) {
      known ??= ask(context);
      const asked = known;
      try {
        return await asked;
      } catch {
        // Of another request, perhaps: then this one asks.
        if (known === asked) known = undefined;
        context.mcpReq.signal.throwIfAborted();
      }
    }
  };
  return { of: async (context) => ({ roots: await rootsOf(context) }), known: rootsOf };
}

/** Without one: each request that may ask does, and keeps the answer over its rounds. */
export function modernFolders(server: Server, { sdk, codec }: Serving): ClientFolders {
  // Of an earlier request of the same connection, where connections last.
  let last: readonly string[] | undefined;
  const hasRoots = (context: ServerContext): boolean => capabilitiesOf(server, context)['roots'] !== undefined;
  const kept = (roots: readonly string[]): FoldersAnswer => {
    last = roots;
    return { roots };
  };
  return {
    known: async (context) => (hasRoots(context) ? last : undefined),
    async of(context) {
      if (!hasRoots(context)) return { roots: undefined };
      const state = stateOf(context);
      if (state.roots !== undefined) return kept(state.roots);
      const answer = sdk.inputResponse(context.mcpReq.inputResponses, ROOTS_KEY);
      if (answer.kind === 'roots') return kept(answer.roots.map(({ uri }) => uri));
      const requestState = await codec.mint(state, context);
      return {
        asking: sdk.inputRequired({ inputRequests: { [ROOTS_KEY]: sdk.inputRequired.listRoots() }, requestState }),
      };
    },
  };
}
