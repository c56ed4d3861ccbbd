import { collectStats, createPainter, type StatsRequest } from '@tenon/core';
import { realpathSync } from 'node:fs';
import type { Options } from '../arguments/parse-arguments.js';
import { modelFacts } from '../choose-model.js';
import { ExitCode } from '../exit-codes.js';
import { prepareSession } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { warn } from '../ui/say.js';
import { statsLines } from './stats-lines.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A century: whoever asks for more means all. */
const MOST_DAYS = 36_500;

/** `tenon stats [--days N] [--all] [--json]`: what the sessions of this project were, or of all; read from their logs, sent nowhere. */
export async function statsCommand(surroundings: Surroundings, options: Options): Promise<ExitCode> {
  const { out, err, tenonHome, interrupts } = surroundings;
  const { roots, settings } = await prepareSession(surroundings, options);
  const { days } = options;
  const request: StatsRequest = {
    tenonHome,
    ...(options.all !== true && { root: realpathSync.native(roots[0]) }),
    ...(days !== undefined && { since: new Date(Date.now() - Math.min(days, MOST_DAYS) * DAY_MS) }),
    // A log names a model by its provider and its name.
    pricesOf: (label) => modelFacts(settings.values, label.slice(label.indexOf(' ') + 1)).prices,
  };
  const armed = interrupts.arm();
  try {
    const stats = await collectStats(request, AbortSignal.any([armed.signal, out.closed]));
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
