import { toShownLine } from '../../report/shown-line.js';
import type { CountSink, LinesSink, TellingSink } from '../search-engine.js';
import type { FoundMessage, TaskSink } from './search-worker.js';

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
  const shown = lines.map(([line, column, text, start, length]) =>
    toShownLine({ line, ...(column > 0 && { column }), text, start, length }),
  );
  sink.found(path, { lines: shown, matches });
}
