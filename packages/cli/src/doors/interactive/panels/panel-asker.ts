import { makeSafe, safeText, type Asker, type QuestionAnswer } from '@tenon/core';
import { afterReading, type AfterReading } from '../../../ui/once-read.js';
import { createTurnstile } from '../../../ui/turnstile.js';
import type { Stage } from '../screen/stage.js';
import { QuestionPanel, type PanelAnswer } from './question-panel.js';

export interface PanelAskerOptions {
  readonly stage: Stage;
  /** True when a browser was started. */
  readonly openUrl: (url: string) => Promise<boolean>;
  /** Ctrl-C at the question: the run is cancelled as well. */
  readonly interrupt: () => void;
  readonly bell: () => void;
  /** Default: `afterReading`. */
  readonly after?: AfterReading;
}

const CANCEL: QuestionAnswer = { action: 'cancel' };
const DECLINE: QuestionAnswer = { action: 'decline' };

/** Puts the questions of servers to the person, one after the other, each in a panel. What is typed meanwhile stays. */
export function createPanelAsker(options: PanelAskerOptions): Asker {
  const { stage, openUrl, interrupt, bell, after = afterReading } = options;
  const silenced = new Set<string>();
  const turnstile = createTurnstile();
  return (question, signal) =>
    turnstile.run(async () => {
      if (silenced.has(question.server)) return DECLINE;
      if (signal.aborted) return CANCEL;
      bell();
      const theme = (): ReturnType<Stage['theme']> => stage.theme();
      const answer = await stage.show<PanelAnswer>(
        (control) => new QuestionPanel({ question, theme, after }, control),
        signal,
      );
      switch (answer?.means) {
        case undefined:
          stage.print(
            safeText`The question of the server ${makeSafe(JSON.stringify(question.server))} was taken back.\n`,
          );
          return CANCEL;
        case 'accept':
          if (question.kind === 'page' && !(await openUrl(question.url)))
            stage.print(
              safeText`There is no browser to be started from here. Open this yourself: ${makeSafe(question.url)}\n`,
            );
          return { action: 'accept', ...(answer.content && { content: answer.content }) };
        case 'silence':
          silenced.add(question.server);
          return DECLINE;
        case 'decline':
          return DECLINE;
        case 'leave':
          interrupt();
          return CANCEL;
        case 'cancel':
          return CANCEL;
        default:
          return answer satisfies never;
      }
    });
}
