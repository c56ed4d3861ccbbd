import type { LocalServer } from '@tenon/core';
import { localModelChoice, type OfferLocal } from '../../choose-model.js';
import type { Output } from '../../output.js';
import { joinSafe, safeText } from '@tenon/core';
import { ExitCode, ExitFailure } from '../../exit-codes.js';
import { safeLine } from '../../ui/safe-lines.js';
import type { Terminal } from '../../ui/terminal.js';

const OFFERED = 9;

/**
 * Lists what local servers have and lets the person pick one by its number. Names and models are the servers' own
 * words. Ctrl-C and Ctrl-D end the run: it throws an ExitFailure `INTERRUPTED`.
 */
export function createOfferLocal(terminal: Terminal, screen: Output, modelName: string | undefined): OfferLocal {
  return async (servers, signal) => {
    const offers = offersOf(servers, modelName).slice(0, OFFERED);
    const lines = offers.map(
      ({ server, model }, index) =>
        safeText`  ${index + 1}  ${safeLine(model ?? 'its model')} of ${safeLine(server.name)} at ${safeLine(server.baseUrl)}\n`,
    );
    const list = joinSafe(lines, safeText``);
    await screen.write(safeText`No model is configured, but there is one on this machine:\n${list}`);
    const answer = await terminal.ask('Use which one for now? (number, Enter for none) › ', signal);
    if (answer === undefined) throw new ExitFailure(ExitCode.INTERRUPTED, 'Interrupted.');
    const chosen = offers[Number(answer.trim()) - 1];
    return chosen === undefined ? undefined : localModelChoice(chosen.server, chosen.model);
  };
}

interface Offer {
  readonly server: LocalServer;
  readonly model: string | undefined;
}

function offersOf(servers: readonly LocalServer[], modelName: string | undefined): Offer[] {
  if (modelName !== undefined) return servers.map((server) => ({ server, model: modelName }));
  return servers.flatMap((server): Offer[] =>
    server.models.length === 0 ? [{ server, model: undefined }] : server.models.map((model) => ({ server, model })),
  );
}
