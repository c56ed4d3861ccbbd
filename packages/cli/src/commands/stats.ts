import { collectStats, createPainter, type SessionStats, type StatsRequest } from '@tenon/core';
import { realpathSync } from 'node:fs';
import type { Options } from '../arguments/parse-arguments.js';
import { modelFacts } from '../choose-model.js';
import { ExitCode } from '../exit-codes.js';
import { prepareSession, type Preparation } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { warn } from '../ui/say.js';
import { statsLines } from './stats-lines.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A century: whoever asks for more means all. */
const MOST_DAYS = 36_500;

export interface StatsWish {
  /** All projects. */
  readonly isAll: boolean;
  /** Only the last ones. */
  readonly days?: number;
}

/** Of the project's sessions, or of all. Rejects with the signal's reason only. */
export function projectStats(
  { tenonHome }: Pick<Surroundings, 'tenonHome'>,
  { roots, settings }: Preparation,
  { isAll, days }: StatsWish,
  signal: AbortSignal,
): Promise<SessionStats> {
  const request: StatsRequest = {
    tenonHome,
    ...(!isAll && { root: realpathSync.native(roots[0]) }),
    ...(days !== undefined && { since: new Date(Date.now() - Math.min(days, MOST_DAYS) * DAY_MS) }),
    // A log names a model by its provider and its name.
    pricesOf: (label) => modelFacts(settings.values, label.slice(label.indexOf(' ') + 1)).prices,
  };
  return collectStats(request, signal);
}

/** `tenon stats [--days N] [--all] [--json]`: what the sessions of this project were, or of all; read from their logs, sent nowhere. */
export async function statsCommand(surroundings: Surroundings, options: Options): Promise<ExitCode> {
  const { out, err, interrupts } = surroundings;
  const preparation = await prepareSession(surroundings, options);
  const { days } = options;
  const wish = { isAll: options.all === true, ...(days !== undefined && { days }) };
  const armed = interrupts.arm();
  try {
    const stats = await projectStats(surroundings, preparation, wish, AbortSignal.any([armed.signal, out.closed]));
    if (options.json) {
      await out.writeData(jsonText(stats));
      return ExitCode.OK;
    }
    await out.write(statsLines(stats, createPainter(out.colors)));
    await warn(err, stats.problems);
    return ExitCode.OK;
  } catch (thrown) {
    if (out.closed.aborted) return ExitCode.OUTPUT_CLOSED;
    if (armed.signal.aborted) return ExitCode.INTERRUPTED;
    throw thrown;
  } finally {
    armed.release();
  }
}
