import { whenAborted } from '../../util/abort.js';
import { createServer } from './create-server.js';
import { openServing } from './open-serving.js';
import type { Report, ServedTools } from './served-tools.js';
import { StreamTransport, type StreamEnds } from './stream-transport.js';

/** The one client of a pair of streams. */
const OWNER = 'stdio';

/**
 * Serves one client over a pair of streams, in whichever era it speaks. Resolves when the client is gone or the signal
 * aborts, after all that ran for it was ended.
 */
export async function serveStream(
  tools: ServedTools,
  ends: StreamEnds,
  { signal, report }: { readonly signal: AbortSignal; readonly report: Report },
): Promise<void> {
  const [serving, { serveStdio }] = await Promise.all([
    openServing(tools, report),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const transport = new StreamTransport(ends);
  const client = { owner: OWNER, isLasting: true };
  const handle = serveStdio(({ era }) => createServer(serving, client, era), {
    transport,
    onerror: (error) => report(error.message),
  });
  await Promise.race([transport.over, whenAborted(signal)]);
  await handle.close();
  await tools.release(OWNER);
}
