import type { Effect } from '../effects/effect.js';
import { mendQuestions } from '../planning/mend-questions.js';
import { answersText, answerText, readAnswers, type AskedQuestion } from '../planning/questions.js';
import type { ToolRuntime } from '../runtime.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolConfirmationOutcome,
  ToolError,
  ToolErrorType,
  type ToolCallConfirmationDetails,
  type ToolInvocation,
  type ToolResult,
} from './tools.js';

export interface AskUserToolParams {
  questions: {
    question: string;
    header?: string;
    options: { label: string; description?: string; preview?: string }[];
    multi_select?: boolean;
  }[];
}

type Runtime = Pick<ToolRuntime, 'getPlanning'>;

const MOST_QUESTIONS = 4;
const MOST_OPTIONS = 4;
/** In characters; what is longer is cut where it is shown. */
const HEADER_CHARS = 16;

class AskUserInvocation extends RunInvocation<AskUserToolParams> {
  readonly #config: Runtime;
  readonly #questions: readonly AskedQuestion[];
  #answer: { readonly outcome: ToolConfirmationOutcome; readonly answers: readonly unknown[] } | undefined;

  constructor(config: Runtime, params: AskUserToolParams) {
    super(params);
    this.#config = config;
    this.#questions = params.questions.map(askedOf);
  }

  getDescription(): string {
    const [first, ...others] = this.#questions;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return `${first?.question.trim().split('\n', 1).join('') ?? ''}${more}`;
  }

  effects(): Effect[] {
    return [{ kind: 'ask' }];
  }

  override async shouldConfirmExecute(_signal: AbortSignal): Promise<ToolCallConfirmationDetails | false> {
    if (!this.#config.getPlanning().canAsk) return false;
    const amount = this.#questions.length;
    return {
      type: 'question',
      title: amount === 1 ? 'A question for you' : `${amount} questions for you`,
      questions: this.#questions,
      refused:
        'The user did not want to answer. Decide yourself where you can, and say what you decided; else stop here.',
      onConfirm: async (outcome, { answers = [] } = {}) => {
        this.#answer = { outcome, answers };
      },
    };
  }

  protected async run(): Promise<ToolResult> {
    const answer = this.#answer;
    if (answer === undefined || answer.outcome === ToolConfirmationOutcome.Cancel)
      throw new ToolError(
        ToolErrorType.EXECUTION_DENIED,
        'Nobody can be asked here. Decide yourself what is safe to decide, and say so; else end with the question as your answer.',
      );
    const answers = readAnswers(this.#questions, answer.answers);
    const shown = answers.map((each) => `${each.header}: ${answerText(each)}`).join('\n');
    return { llmContent: answersText(answers), returnDisplay: shown, data: { answers } };
  }
}

function askedOf({ question, header = '', options, multi_select = false }: AskUserToolParams['questions'][number]) {
  return {
    question,
    header: shortened(header.trim() === '' ? 'Question' : header.trim()),
    options: options.map(({ label, description = '', preview }) => ({
      label: label.trim(),
      description,
      ...(preview !== undefined && { preview }),
    })),
    multiSelect: multi_select,
  };
}

/** In characters as people count them. */
function shortened(text: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return characters.slice(0, HEADER_CHARS).join('');
}

/** Puts questions with answers to choose from to the person, who may always say something else, or nothing. */
export class AskUserTool extends BaseDeclarativeTool<AskUserToolParams, ToolResult> {
  static readonly Name = ToolNames.ASK_USER;
  override readonly mend = mendQuestions;
  readonly #config: Runtime;

  constructor(config: Runtime) {
    super(
      AskUserTool.Name,
      ToolDisplayNames.ASK_USER,
      'Asks the user what only they can decide; they may always answer in other words. Not for what you can find out, nor to approve a plan. The option you advise comes first.',
      Kind.Think,
      SCHEMA,
    );
    this.#config = config;
  }

  override get isOffered(): boolean {
    return this.#config.getPlanning().canAsk;
  }

  protected override get example(): AskUserToolParams {
    return { questions: [{ question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'PostgreSQL' }] }] };
  }

  protected override validateToolParamValues({ questions }: AskUserToolParams): string | null {
    const asked = questions.map(({ question }) => question.trim());
    if (asked.includes('')) return 'A question is empty. Say what you want to know.';
    if (new Set(asked).size < asked.length) return 'Two questions are the same. Ask each once.';
    for (const { question, options } of questions) {
      const labels = options.map(({ label }) => label.trim());
      if (labels.includes('') || new Set(labels).size < labels.length)
        return `The options of ${JSON.stringify(question.slice(0, 80))} need labels that differ.`;
    }
    return null;
  }

  protected createInvocation(params: AskUserToolParams): ToolInvocation<AskUserToolParams, ToolResult> {
    return new AskUserInvocation(this.#config, params);
  }
}

const text = (description?: string) => ({ type: 'string', ...(description !== undefined && { description }) });

const SCHEMA = {
  type: 'object',
  properties: {
    questions: {
      type: 'array',
      description: 'Asked together.',
      minItems: 1,
      maxItems: MOST_QUESTIONS,
      items: {
        type: 'object',
        properties: {
          question: text(),
          header: text(`At most ${HEADER_CHARS} characters.`),
          options: {
            type: 'array',
            minItems: 2,
            maxItems: MOST_OPTIONS,
            items: {
              type: 'object',
              properties: {
                label: text('1 to 5 words.'),
                description: text(),
                preview: text('Code or a sketch.'),
              },
              required: ['label'],
            },
          },
          multi_select: { type: 'boolean' },
        },
        required: ['question', 'options'],
        additionalProperties: false,
      },
    },
  },
  required: ['questions'],
  additionalProperties: false,
};
