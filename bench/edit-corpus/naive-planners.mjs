// Two simple ways to place an edit, to compare with. Both take the shape of an edit request and give that of an edit plan.

/** The old text to the letter, once; nothing else. */
export function planExactly(request) {
  return planBy(request, (text, { oldText, newText, replaceAll }) => {
    const pieces = text.split(oldText);
    if (pieces.length === 1) return { reason: 'not-found' };
    if (pieces.length > 2 && !replaceAll) return { reason: 'several' };
    return pieces.join(newText);
  });
}

/** As above; where that finds nothing, the first run of lines that is equal when every line is trimmed is replaced whole. */
export function planTrimmed(request) {
  return planBy(request, (text, step) => {
    const exact = planExactly({ text, steps: [step] });
    if (exact.outcome === 'edit') return exact.newContent;
    if (exact.failure.reason !== 'not-found') return exact.failure;
    const lines = text.split('\n');
    const wanted = step.oldText.replace(/\n$/, '').split('\n');
    const at = lines.findIndex((_, first) =>
      wanted.every((line, index) => lines[first + index]?.trim() === line.trim()),
    );
    if (at === -1) return { reason: 'not-found' };
    lines.splice(at, wanted.length, step.newText.replace(/\n$/, ''));
    return lines.join('\n');
  });
}

/** Runs the steps in order; `place` gives the text after one of them, or the reason why not. */
function planBy({ text, steps }, place) {
  let current = text;
  for (const [step, asked] of steps.entries()) {
    const after = placeOne(current, asked, place);
    if (typeof after !== 'string') {
      const miss = { cause: 'near-miss', nearest: undefined, suggestion: undefined };
      return { outcome: 'failed', step, failure: after.reason === 'not-found' ? { ...after, miss } : after };
    }
    current = after;
  }
  return { outcome: 'edit', newContent: current, steps: [], changed: [] };
}

function placeOne(text, step, place) {
  if (step.oldText === '') return text === null || text === '' ? step.newText : { reason: 'file-exists' };
  if (text === null) return { reason: 'missing-file' };
  return step.oldText === step.newText ? { reason: 'no-change' } : place(text, step);
}
