import { toShownLine, type ShownLine } from '../../report/shown-line.js';
import type { CountSink, LinesSink, TellingSink } from '../search-engine.js';
import type { FoundMessage, TaskSink } from './search-worker.js';
import type { LineTuple } from './worker-messages.js';

export function countTaskSink(sink: CountSink | TellingSink): TaskSink {
  return {
    record: ({ kind, path, detail }) => {
      if (kind === 'c') sink.counted(path, Number(detail));
      else if (kind === 'f') sink.failed(path, detail);
      else if ('odd' in sink) sink.odd(path);
    },
    found: () => undefined,
  };
}

export function linesTaskSink(sink: LinesSink): TaskSink {
  return {
    record: ({ path, detail }) => sink.failed(path, detail),
    found: (message) => tellLines(message, sink),
  };
}

function tellLines({ path, matches, lines }: FoundMessage, sink: LinesSink): void {
  sink.found(path, { lines: shownLines(lines), matches });
}

export function shownLines(lines: readonly LineTuple[]): ShownLine[] {
  return lines.map(([line, column, text, start, length]) =>
    toShownLine({ line, ...(column > 0 && { column }), text, start, length }),
  );
}
