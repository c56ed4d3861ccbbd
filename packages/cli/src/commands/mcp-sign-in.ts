import { createFetch, Failure, signInAtServer, signOutOfServer } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { openUrl } from '../open-url.js';
import { hasPerson, type Surroundings } from '../surroundings.js';
import { usedServer, viewServers, writeLines } from './mcp-servers.js';

/** `tenon mcp login|logout NAME`. The address is shown; the answer comes back by this machine, or is pasted. */
export async function signInOrOut(
  surroundings: Surroundings,
  options: Options,
  { name, isIn }: { readonly name: string; readonly isIn: boolean },
): Promise<ExitCode> {
  // Signing in changes what the agent's servers may do with the person's account.
  if ((surroundings.env['TENON'] ?? '') !== '')
    throw new ExitFailure(ExitCode.USAGE, 'Only a person signs in or out: run this in a terminal of your own.');
  const { servers } = await viewServers(surroundings, options);
  const { definition } = usedServer(servers, name);
  if (definition === undefined) throw new ExitFailure(ExitCode.USAGE, `The server "${name}" is not used.`);
  const { tenonHome } = surroundings;
  const armed = surroundings.interrupts.arm();
  const { signal } = armed;
  const network = createFetch({ environment: surroundings.env });
  const at = { tenonHome, signal, fetch: network.fetch };
  try {
    if (isIn) {
      const terminal = hasPerson(surroundings) ? await terminalOf(surroundings) : undefined;
      const open = async (url: string): Promise<void> => {
        await writeLines(surroundings, ['Open this address in a browser and sign in:', `  ${url}`]);
        const { env, cwd } = surroundings;
        if (terminal !== undefined) await openUrl(url, { env, platform: process.platform, cwd });
      };
      const question = 'If the browser is on another machine, paste the address that it ended at: ';
      const paste = terminal && ((done: AbortSignal) => terminal.ask(question, AbortSignal.any([done, signal])));
      const who = await signInAtServer(definition, { ...at, open, ...(paste !== undefined && { paste }) });
      await writeLines(surroundings, [
        who === 'person'
          ? `Signed in at ${name}. \`tenon mcp logout ${name}\` takes that back.`
          : `Nobody needs to sign in at ${name}: its client gets tokens by itself, and the server took one.`,
      ]);
      return ExitCode.OK;
    }
    const { wasSignedIn, revoked } = await signOutOfServer(definition, at);
    const how = revoked
      ? ', and it was told to forget it'
      : '. The server was not told: what it gave may hold there until it expires';
    await writeLines(surroundings, [wasSignedIn ? `Signed out of ${name}${how}.` : `Nobody was signed in at ${name}.`]);
    return ExitCode.OK;
  } catch (thrown) {
    if (signal.aborted) return ExitCode.INTERRUPTED;
    if (thrown instanceof Failure && !(thrown instanceof ExitFailure))
      throw new ExitFailure(ExitCode.UNEXPECTED, thrown.message, { cause: thrown });
    throw thrown;
  } finally {
    await network.close();
    armed.release();
  }
}

async function terminalOf({ stdin, screen }: Surroundings) {
  const { createTerminal } = await import('../ui/terminal.js');
  return createTerminal(stdin(), screen.stream());
}
