import { afterAll, describe, expect, it } from 'vitest';
import { prepareCall } from '../scheduler/prepare-call.js';
import { NO_AGENT } from '../scheduler/services.js';
import { createTempConfig } from '../testing/temp-config.js';
import { AskUserTool, type AskUserToolParams } from './ask-user.js';
import { ToolConfirmationOutcome, type ConfirmationWords, type ToolResult } from './tools.js';

const { config, remove } = await createTempConfig({ planning: { canAsk: true } });
const alone = await createTempConfig();
const tool = new AskUserTool(config);
const { signal } = new AbortController();
afterAll(async () => {
  await remove();
  await alone.remove();
});

const questions: AskUserToolParams['questions'] = [
  {
    question: 'Which database?',
    header: 'Database',
    options: [{ label: 'SQLite', description: 'one file' }, { label: 'Postgres' }],
  },
  {
    question: 'Which parts?',
    options: [{ label: 'a' }, { label: 'b', preview: 'b()' }, { label: 'c' }],
    multi_select: true,
  },
];

async function answer(outcome: ToolConfirmationOutcome, words?: ConfirmationWords): Promise<ToolResult> {
  const invocation = tool.build({ questions });
  const details = await invocation.shouldConfirmExecute?.(signal);
  if (details) await details.onConfirm?.(outcome, words);
  return invocation.execute(signal);
}

const { ProceedOnce, Cancel } = ToolConfirmationOutcome;

describe('AskUserTool', () => {
  it('puts its questions with all that a person needs to decide', async () => {
    const invocation = tool.build({ questions });
    expect(invocation.getDescription()).toBe('Which database? (and 1 more)');
    expect(await invocation.effects?.()).toEqual([{ kind: 'ask' }]);
    expect(await invocation.shouldConfirmExecute?.(signal)).toMatchObject({
      type: 'question',
      title: '2 questions for you',
      questions: [
        {
          header: 'Database',
          options: [
            { label: 'SQLite', description: 'one file' },
            { label: 'Postgres', description: '' },
          ],
          multiSelect: false,
        },
        { header: 'Question', multiSelect: true },
      ],
    });
  });

  it('tells answers in words and as data', async () => {
    const answers = [{ selected: ['Postgres'] }, { selected: ['c', 'a'], words: 'and more' }];
    const result = await answer(ProceedOnce, { answers });
    expect(result.llmContent).toBe(
      'The user answered:\n1. Which database?\n   Postgres\n2. Which parts?\n   a, c; in their own words: and more',
    );
    expect(result.data).toEqual({
      answers: [
        { question: 'Which database?', header: 'Database', selected: ['Postgres'] },
        { question: 'Which parts?', header: 'Question', selected: ['a', 'c'], words: 'and more' },
      ],
    });
  });

  it('takes what is no option for own words, and one choice where one is asked for', async () => {
    const answers = [{ selected: ['SQLite', 'Postgres', 'DuckDB'] }, { selected: 'b', words: 7 }];
    expect((await answer(ProceedOnce, { answers })).data).toMatchObject({
      answers: [{ selected: ['SQLite'], words: 'Postgres; DuckDB' }, { selected: ['b'] }],
    });
  });

  it('knows an option again whose label has blanks around it', async () => {
    const invocation = tool.build({ questions: [{ question: 'x?', options: [{ label: ' a ' }, { label: 'b\n' }] }] });
    const details = await invocation.shouldConfirmExecute?.(signal);
    expect(details).toMatchObject({ questions: [{ options: [{ label: 'a' }, { label: 'b' }] }] });
    if (details) await details.onConfirm?.(ProceedOnce, { answers: [{ selected: ['a'] }] });
    expect((await invocation.execute(signal)).data).toMatchObject({ answers: [{ selected: ['a'] }] });
  });

  it.each([
    ['none', undefined],
    ['too few', [{}]],
    ['nonsense', [7, null]],
    ['empty words', [{ words: '  ' }, { selected: [''] }]],
  ])('says that nothing was answered for %s', async (_, answers) => {
    const { llmContent, error } = await answer(ProceedOnce, answers && { answers });
    expect(error).toBeUndefined();
    expect(llmContent).toContain('chose no answer. Decide yourself');
  });

  it('says what to decide where one question was passed over', async () => {
    const { llmContent } = await answer(ProceedOnce, { answers: [{}, { selected: ['a'] }] });
    expect(llmContent).toContain('1. Which database?\n   (no answer)');
    expect(llmContent).toContain('Where nothing was answered, decide yourself.');
  });

  it('never takes a call that was let through for an answer', async () => {
    expect((await answer(Cancel)).error?.type).toBe('execution_denied');
    expect((await tool.build({ questions }).execute(signal)).error?.type).toBe('execution_denied');
  });

  it('says what to do where nobody can be asked, and is not offered there', async () => {
    const unasked = new AskUserTool(alone.config);
    expect(tool.isOffered).toBe(true);
    expect(unasked.isOffered).toBe(false);
    const invocation = unasked.build({ questions });
    expect(await invocation.shouldConfirmExecute?.(signal)).toBe(false);
    expect((await invocation.execute(signal)).error?.message).toContain('Nobody can be asked here. Decide yourself');
  });

  it('refuses what cannot be answered', () => {
    const [one] = questions;
    const problem = (list: AskUserToolParams['questions']) => tool.validateToolParams({ questions: list });
    expect(problem([])).not.toBeNull();
    expect(
      problem(Array.from({ length: 5 }, (_, n) => ({ question: `${n}?`, options: [{ label: 'a' }, { label: 'b' }] }))),
    ).not.toBeNull();
    expect(problem([{ question: ' ', options: [{ label: 'a' }, { label: 'b' }] }])).toContain('A question is empty');
    expect(problem([{ question: 'x?', options: [{ label: 'a' }, { label: 'a ' }] }])).toContain('labels that differ');
    expect(problem([{ question: 'x?', options: [{ label: 'a' }] }])).not.toBeNull();
    expect(one && problem([one, one])).toContain('Two questions are the same');
  });

  it('reads what other agents call it', () => {
    const prepared = (args: unknown) =>
      prepareCall(
        { callId: 'c', toolName: 'ask_user', argumentsText: JSON.stringify(args) },
        { registry: config.getToolRegistry(), caller: () => NO_AGENT },
      );
    const first = prepared({ questions: [{ question: 'x?', options: ['a', 'b'], multiSelect: true }] });
    expect(first.invocation.params).toEqual({
      questions: [{ question: 'x?', options: [{ label: 'a' }, { label: 'b' }], multi_select: true }],
    });
    expect(first.repairs).toHaveLength(2);
    const single = prepared({
      question: 'x?',
      header: 'X',
      options: [{ label: 'a' }, { label: 'b' }],
      multiSelect: true,
    });
    expect(single.invocation.params).toEqual({
      questions: [{ question: 'x?', header: 'X', options: [{ label: 'a' }, { label: 'b' }], multi_select: true }],
    });
  });
});
