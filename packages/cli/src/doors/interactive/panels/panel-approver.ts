import { ToolConfirmationOutcome, type Approver } from '@tenon/core';
import { afterReading, type AfterReading } from '../../../ui/once-read.js';
import type { EditText } from '../edit-text.js';
import type { Stage } from '../screen/stage.js';
import { ApprovalPanel } from './approval-panel.js';

export interface PanelApproverOptions {
  readonly stage: Stage;
  /** Opens the person's editor; the terminal is lent to it. */
  readonly editText: EditText;
  /** Ctrl-C at the question: the run is cancelled as well. */
  readonly interrupt: () => void;
  /** A question has come while none was there. */
  readonly bell: () => void;
  /** Default: `afterReading`. */
  readonly after?: AfterReading;
}

/** Asks about calls in a panel, all that wait in one. Anything but a clear yes is a no. */
export function createPanelApprover(options: PanelApproverOptions): Approver {
  const { stage, editText, interrupt, bell, after = afterReading } = options;
  const panel = new ApprovalPanel({
    theme: () => stage.theme(),
    editText: (text, fileName, signal) => stage.lend(() => editText(text, fileName, signal)),
    interrupt,
    after,
  });
  let isOpen = false;

  const open = async (end: AbortController): Promise<void> => {
    isOpen = true;
    try {
      // One that came while the panel was closing has it opened again.
      while (panel.count > 0) {
        let isDone = false;
        await stage.show<void>((control) =>
          panel.openWith({
            redraw: control.redraw,
            done: () => {
              isDone = true;
              control.done();
            },
          }),
        );
        if (!isDone) return end.abort();
      }
    } catch {
      // Nobody can be asked: that is a no.
      end.abort();
    } finally {
      isOpen = false;
    }
  };

  let ended = new AbortController();
  return async (request, signal) => {
    if (signal.aborted) return { outcome: ToolConfirmationOutcome.Cancel };
    if (panel.count === 0) bell();
    if (ended.signal.aborted) ended = new AbortController();
    const answer = panel.ask(request, AbortSignal.any([signal, ended.signal]));
    if (!isOpen) void open(ended);
    return answer;
  };
}
