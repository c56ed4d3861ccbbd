import { createFetch } from '../network/create-fetch.js';
import { CallHooks } from './call-hooks.js';
import { hookLookup, type ResolveHookHost } from './hook-lookup.js';
import { HookRunner, type HookRunnerOptions } from './hook-runner.js';
import { SessionHooks } from './session-hooks.js';

/** For a connection, TLS included. In milliseconds. */
const CONNECT_MS = 30_000;

export interface OpenHooksOptions extends Omit<HookRunnerOptions, 'fetch' | 'session'> {
  /** Where proxies are named. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly session: () => { readonly sessionId: string; readonly approvalMode: string };
  /** Default: as the system does. */
  readonly resolve?: ResolveHookHost;
}

/** The hooks of a session, ready to be asked. */
export interface OpenedHooks {
  readonly calls: CallHooks;
  readonly session: SessionHooks;
  /** Tells the hooks from now on where the session is logged. */
  readonly noteTranscript: (file: string) => void;
  close(): Promise<void>;
}

/** Nothing is started. @throws Failure `invalid_hook` for a matcher that cannot be read */
export function openHooks({ variables, session, resolve, ...options }: OpenHooksOptions): OpenedHooks {
  const direct = { lookup: hookLookup(resolve), timeout: CONNECT_MS };
  const network = createFetch({ environment: variables, direct });
  let transcriptPath = '';
  const runner = new HookRunner({
    ...options,
    fetch: network.fetch,
    session: () => ({ ...session(), transcriptPath }),
  });
  return {
    calls: new CallHooks(runner),
    session: new SessionHooks(runner),
    noteTranscript: (file) => {
      transcriptPath = file;
    },
    close: async () => {
      await runner.close();
      await network.close();
    },
  };
}
