import type { Approver, Asker } from '@tenon/core';
import { hasPerson, type Surroundings } from './surroundings.js';
import type { Terminal } from './ui/terminal.js';
import { createTurnstile, type Turnstile } from './ui/turnstile.js';

/** Who is there to be asked, if anybody. */
export interface Person {
  /** Spread into the options of the library: empty when there is nobody. */
  readonly approver: { readonly approver?: Approver; readonly asker?: Asker };
  readonly terminal?: Terminal;
  readonly turnstile: Turnstile;
}

/** Where a program is talked to, there is none. */
export function nobody(): Person {
  return { approver: {}, turnstile: createTurnstile() };
}

/** The person at the terminal. What reads keys and opens editors is loaded only when there is one. */
export async function personOf(surroundings: Surroundings): Promise<Person> {
  if (!hasPerson(surroundings)) return nobody();
  const turnstile = createTurnstile();
  const [{ createTerminal }, { createApprover }, { createAsker }, { createEditText }] = await Promise.all([
    import('./ui/terminal.js'),
    import('./doors/interactive/approver.js'),
    import('./doors/interactive/asker.js'),
    import('./doors/interactive/edit-text.js'),
  ]);
  const terminal = createTerminal(surroundings.stdin(), surroundings.screen.stream());
  const approver = createApprover({
    terminal,
    screen: surroundings.screen.output,
    turnstile,
    editText: createEditText(surroundings.env, surroundings.tempFolder),
    interrupt: () => surroundings.interrupts.interrupt(),
  });
  const asker = createAsker({
    terminal,
    screen: surroundings.screen.output,
    turnstile,
    openUrl: async (url) =>
      (await import('./open-url.js')).openUrl(url, { ...surroundings, platform: process.platform }),
    interrupt: () => surroundings.interrupts.interrupt(),
  });
  return { approver: { approver, asker }, terminal, turnstile };
}
