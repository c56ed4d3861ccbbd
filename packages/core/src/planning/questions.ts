/** One of the answers that are offered. */
export interface AskedOption {
  readonly label: string;
  /** What choosing it means. */
  readonly description: string;
  /** What it would look like: text that is shown as it is, such as a piece of code. */
  readonly preview?: string;
}

/** A question of the agent to the person. All words are the model's own. */
export interface AskedQuestion {
  readonly question: string;
  /** A word or two that stand for it. */
  readonly header: string;
  readonly options: readonly AskedOption[];
  /** True: several of them may be chosen. */
  readonly multiSelect: boolean;
}

/** What the person says to one question. Neither: nothing. */
export interface AskedAnswer {
  /** Labels of options. */
  readonly selected?: readonly string[];
  /** What they say in their own words. */
  readonly words?: string;
}

/** A question with what was answered, for programs. */
export interface AnsweredQuestion {
  readonly question: string;
  readonly header: string;
  readonly selected: readonly string[];
  readonly words?: string;
}

/** Of what a person says to one question, in characters. */
const LONGEST_WORDS = 20_000;

/**
 * Answers as they came, by the place of their question, made to fit: what is none of the options counts as the person's own
 * words, and where one is to be chosen the first stands. Pure; takes anything.
 */
export function readAnswers(
  questions: readonly AskedQuestion[],
  given: readonly unknown[],
): readonly AnsweredQuestion[] {
  return questions.map(({ question, header, options, multiSelect }, index) => {
    const { selected: wanted, words: said } = fieldsOf(given[index]);
    const labels = [...new Set(texts(wanted))];
    const known = options.map(({ label }) => label).filter((label) => labels.includes(label));
    const selected = multiSelect ? known : known.slice(0, 1);
    const others = labels.filter((label) => !selected.includes(label));
    const words = [...others, ...texts([said])].join('; ').slice(0, LONGEST_WORDS);
    return { question, header, selected, ...(words !== '' && { words }) };
  });
}

/** What the model is told. Pure. */
export function answersText(answers: readonly AnsweredQuestion[]): string {
  const open = answers.filter((answer) => !isAnswered(answer)).length;
  if (open === answers.length)
    return 'The user was asked and chose no answer. Decide yourself, and say what you decided and why.';
  const lines = answers.map((answer, index) => `${index + 1}. ${answer.question}\n   ${answerText(answer)}`);
  const rest = open === 0 ? [] : ['Where nothing was answered, decide yourself.'];
  return ['The user answered:', ...lines, ...rest].join('\n');
}

/** One answer in words. Pure. */
export function answerText({ selected, words }: AnsweredQuestion): string {
  const chosen = selected.join(', ');
  if (words === undefined) return chosen === '' ? '(no answer)' : chosen;
  return chosen === '' ? `in their own words: ${words}` : `${chosen}; in their own words: ${words}`;
}

function isAnswered({ selected, words }: AnsweredQuestion): boolean {
  return selected.length > 0 || words !== undefined;
}

function fieldsOf(value: unknown): { readonly selected?: unknown; readonly words?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}

function texts(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((each) => (typeof each === 'string' && each.trim() !== '' ? [each.trim()] : []));
}
