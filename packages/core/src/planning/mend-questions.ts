import { isObject } from '../util/is-object.js';

/** What belongs to a question that stands by itself. */
const OF_ONE = ['question', 'header', 'options', 'multi_select', 'multiSelect'];

/** Arguments of questions with the slips undone that have one reading only; a sentence for each. Pure. */
export function mendQuestions(args: Readonly<Record<string, unknown>>): {
  readonly value: Record<string, unknown>;
  readonly repairs: readonly string[];
} {
  const repairs = new Set<string>();
  const questions = mendedList(args, repairs);
  if (questions === undefined) return { value: { ...args }, repairs: [] };
  const rest = Object.entries(args).filter(([name]) => !OF_ONE.includes(name));
  const mended = questions.map((question) => mendQuestion(question, repairs));
  return { value: { ...Object.fromEntries(rest), questions: mended }, repairs: [...repairs] };
}

/** One question may stand by itself. */
function mendedList(args: Readonly<Record<string, unknown>>, repairs: Set<string>): readonly unknown[] | undefined {
  const { questions, question, header, options, multi_select, multiSelect } = args;
  if (Array.isArray(questions)) return questions;
  if (questions !== undefined || typeof question !== 'string') return undefined;
  repairs.add('The question was read as a list of one.');
  const several = multi_select ?? multiSelect;
  return [
    {
      question,
      options,
      ...(header !== undefined && { header }),
      ...(several !== undefined && { multi_select: several }),
    },
  ];
}

function mendQuestion(question: unknown, repairs: Set<string>): unknown {
  if (!isObject(question) || !Array.isArray(question['options'])) return question;
  const options = question['options'].map((option: unknown) => {
    if (typeof option !== 'string') return option;
    repairs.add('An option that was a string was read as its `label`.');
    return { label: option };
  });
  return { ...question, options };
}
