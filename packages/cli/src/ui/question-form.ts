import type { AskedAnswer, AskedQuestion } from '@tenon/core';

/** The field of a form in which options of a question are chosen, and that for other words. */
export function fieldNames(index: number): { readonly choice: string; readonly words: string } {
  return { choice: `answer${index + 1}`, words: `words${index + 1}` };
}

/** What was filled in. Unchecked: what is none of the options counts as words. Pure. */
export function readQuestionForm(
  questions: readonly AskedQuestion[],
  content: Readonly<Record<string, unknown>>,
): readonly AskedAnswer[] {
  return questions.map((_, index) => {
    const names = fieldNames(index);
    const chosen = content[names.choice];
    const words = content[names.words];
    const list: readonly unknown[] = Array.isArray(chosen) ? chosen : [chosen];
    const selected = list.flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []));
    return {
      ...(selected.length > 0 && { selected }),
      ...(typeof words === 'string' && words.trim() !== '' && { words }),
    };
  });
}
