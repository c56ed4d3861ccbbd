import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateAgainst } from '../../schema/validate.js';
import type { QuestionAnswer } from '../mcp-types.js';
import { askPerson, type PersonQuestion } from './asker.js';
import { checkAnswer, checkField, readFieldText } from './check-answer.js';
import type { FormField } from './form-field.js';
import { readForm } from './read-form.js';

const form = (properties: Record<string, unknown>, required: string[] = []): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
});

function fieldsOf(properties: Record<string, unknown>, required: string[] = []): readonly FormField[] {
  const read = readForm(form(properties, required));
  if ('problem' in read) throw new Error(read.problem);
  return read.fields;
}

describe('a form', () => {
  it('is read into its fields, with every kind that the protocol has', () => {
    const fields = fieldsOf(
      {
        name: { type: 'string', title: 'Your name', description: 'First\nand last.', minLength: 1, default: 'Ann' },
        mail: { type: 'string', format: 'email' },
        age: { type: 'integer', minimum: 0, maximum: 120, default: 30 },
        share: { type: 'number' },
        agrees: { type: 'boolean', default: false },
        plain: { type: 'string', enum: ['a', 'b'], default: 'b' },
        named: { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] },
        titled: { type: 'string', oneOf: [{ const: 'a', title: 'First' }] },
        several: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, minItems: 1, default: ['x'] },
        titledSeveral: { type: 'array', items: { anyOf: [{ const: 'x', title: 'Ex' }] }, maxItems: 1 },
      },
      ['name'],
    );
    expect(fields.map(({ kind }) => kind).join(' ')).toBe(
      'text text number number yes-no choice choice choice choices choices',
    );
    expect(fields[0]).toEqual({
      name: 'name',
      label: 'Your name',
      description: 'First\nand last.',
      isRequired: true,
      isSecret: false,
      kind: 'text',
      minLength: 1,
      default: 'Ann',
    });
    expect(fields[2]).toMatchObject({ isInteger: true, minimum: 0, maximum: 120, default: 30 });
    expect(fields[4]).toMatchObject({ default: false });
    expect(fields[6]).toMatchObject({ options: [{ label: 'First' }, { label: 'Second' }] });
    expect(fields[8]).toMatchObject({ minItems: 1, default: ['x'] });
  });

  it.each([
    ['nested', form({ a: { type: 'object', properties: {} } }), 'no plain value'],
    ['a list of texts', form({ a: { type: 'array', items: { type: 'string' } } }), 'other than choices'],
    ['a reference', form({ a: { $ref: '#/x' } }), 'no plain value'],
    ['two types', form({ a: { type: ['string', 'null'] } }), 'no plain value'],
    ['no description', form({ a: true }), 'not described'],
    ['a condition', { ...form({}), if: {} }, '"if"'],
    ['no object', { type: 'string' }, 'not that of an object'],
    ['no choice', form({ a: { type: 'string', enum: [] } }), '0 choices'],
    ['choices that are no texts', form({ a: { type: 'string', enum: [1] } }), 'no text'],
    ['too many', form(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, { type: 'string' }]))), '51'],
  ])('that cannot be shown is refused: %s', (_name, schema, problem) => {
    expect(readForm(schema)).toEqual({ problem: expect.stringContaining(problem) as string });
  });

  it('drops defaults that the field refuses, and shows no hidden characters', () => {
    const [field] = fieldsOf({ a: { type: 'string', title: 'A\u202e\u001b[31mB', maxLength: 1, default: 'long' } });
    expect(field).toEqual({ name: 'a', label: 'AB', isRequired: false, isSecret: false, kind: 'text', maxLength: 1 });
  });

  it.each(['password', 'API_KEY', 'apiKey', 'github-token', 'Passphrase', 'client secret', 'pin'])(
    'tells that %s may be a secret',
    (name) => expect(fieldsOf({ [name]: { type: 'string' } })[0]?.isSecret).toBe(true),
  );
  it.each(['name', 'compass', 'pinned', 'tokenizer', 'keyboard'])('tells that %s is none', (name) =>
    expect(fieldsOf({ [name]: { type: 'string' } })[0]?.isSecret).toBe(false),
  );
});

const option = fc.string({ minLength: 1, maxLength: 4 });
const options = fc.uniqueArray(option, { minLength: 1, maxLength: 4 });
const bound = fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined });
const fieldSchema = fc.oneof(
  fc.record(
    {
      type: fc.constant('string'),
      minLength: bound,
      maxLength: bound,
      format: fc.constantFrom('email', 'uri', 'date', 'date-time', undefined),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({ type: fc.constantFrom('number', 'integer'), minimum: bound, maximum: bound }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('boolean') }),
  options.map((values) => ({ type: 'string', enum: values })),
  options.map((values) => ({ type: 'string', oneOf: values.map((value) => ({ const: value, title: `t${value}` })) })),
  fc.tuple(options, bound, bound).map(([values, minItems, maxItems]) => ({
    type: 'array',
    items: { type: 'string', enum: values },
    minItems,
    maxItems,
  })),
);
const value = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('a@b.example', 'https://a.example/', '2026-11-22', '2026-11-22T10:00:00Z', ''),
  fc.integer({ min: -2, max: 8 }),
  fc.double({ min: -2, max: 8, noNaN: true }),
  fc.boolean(),
  fc.array(option, { maxLength: 3 }),
  fc.constant(null),
);

describe('laws', () => {
  it('an answer is sound exactly when the schema of the server takes it', () => {
    fc.assert(
      fc.property(fieldSchema, value, fc.boolean(), (raw, given, isRequired) => {
        const schema = JSON.parse(JSON.stringify(form({ it: raw }, isRequired ? ['it'] : []))) as Record<
          string,
          unknown
        >;
        const read = readForm(schema);
        if ('problem' in read) throw new Error(read.problem);
        // A choice is named once, whether the schema says so or not.
        const isTwice = Array.isArray(given) && new Set(given).size < given.length;
        fc.pre(!isTwice);
        for (const content of [{ it: given }, {}])
          expect(checkAnswer(read.fields, content).length === 0).toBe(validateAgainst(schema, content) === null);
      }),
    );
  });

  it('what a person types is either refused with a reason or a sound answer', () => {
    fc.assert(
      fc.property(fieldSchema, fc.oneof(fc.string(), value.map(String)), (raw, typed) => {
        const [field] = fieldsOf({ it: JSON.parse(JSON.stringify(raw)) as unknown });
        if (field === undefined) throw new Error('no field');
        const read = readFieldText(field, typed);
        if ('value' in read && read.value !== undefined) expect(checkField(field, read.value)).toBeUndefined();
      }),
    );
  });

  it('nothing is put beside what was asked for, whatever a field is called', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString')), (name) => {
        const fields = fieldsOf(Object.fromEntries([[name, { type: 'boolean' }]]), [name]);
        expect(checkAnswer(fields, {}).length).toBe(1);
        expect(checkAnswer(fields, Object.fromEntries([[name, true]]))).toEqual([]);
        expect(
          checkAnswer(
            fields,
            Object.fromEntries([
              [name, true],
              [`${name}x`, 1],
            ]),
          ).length,
        ).toBe(1);
      }),
    );
  });
});

describe('what is typed', () => {
  it.each([
    [{ type: 'integer' }, ' 42 ', 42],
    [{ type: 'number' }, '-1.5e2', -150],
    [{ type: 'boolean' }, 'Yes', true],
    [{ type: 'boolean', default: false }, '', false],
    [{ type: 'string', enum: ['red', 'blue'] }, '2', 'blue'],
    [{ type: 'string', enum: ['2', '1'] }, '2', '2'],
    [{ type: 'string', enum: ['r'], enumNames: ['Red'] }, 'red', 'r'],
    [{ type: 'array', items: { enum: ['x', 'y', 'z'] } }, 'z, 1,1', ['z', 'x']],
    [{ type: 'string' }, '', undefined],
  ])('%o: %s', (schema, typed, expected) => {
    const [field] = fieldsOf({ it: schema });
    expect(field && readFieldText(field, typed)).toEqual({ value: expected });
  });
});

describe('a person', () => {
  const signal = new AbortController().signal;
  const asked: PersonQuestion[] = [];
  const asking = (answer: QuestionAnswer): ReturnType<typeof askPerson> =>
    askPerson(async (question) => {
      asked.push(question);
      return answer;
    });

  it('is not shown what cannot be shown, and the server gets nothing of a wrong answer', async () => {
    const lines: string[] = [];
    const ask = askPerson(
      async () => ({ action: 'accept', content: { other: 1 } }),
      (alias, _level, text) => lines.push(`${alias}: ${text}`),
    );
    const nested = { kind: 'form', message: 'x', schema: form({ a: { type: 'object' } }) } as const;
    expect(await ask('one', nested, signal)).toEqual({ action: 'cancel' });
    for (const url of ['file:///etc/passwd', 'javascript:x', 'https://you@evil.example/', 'no'])
      expect(await ask('one', { kind: 'url', message: '', url, id: '1' }, signal)).toEqual({ action: 'cancel' });
    expect(lines.length).toBe(5);
    const plain = { kind: 'form', message: 'x', schema: form({ a: { type: 'string' } }) } as const;
    await expect(ask('one', plain, signal)).rejects.toThrow('"other" was not asked for');
  });

  it('sees clean words and the whole address', async () => {
    const ask = asking({ action: 'accept' });
    const url = 'https://Exämple.example/a?b=%20c';
    expect(await ask('one', { kind: 'url', message: 'Go\u001b[2J \u202ethere', url, id: '1' }, signal)).toEqual({
      action: 'accept',
    });
    expect(asked.pop()).toEqual({
      kind: 'page',
      server: 'one',
      message: 'Go there',
      url: 'https://xn--exmple-cua.example/a?b=%20c',
    });
  });

  it('is not asked more than five things of a server at once', async () => {
    let release: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    const ask = askPerson(async () => {
      await waiting;
      return { action: 'decline' };
    });
    const question = { kind: 'form', message: '', schema: form({}) } as const;
    const answers = Array.from({ length: 7 }, async () => ask('one', question, signal));
    const other = ask('other', question, signal);
    release();
    const actions = (await Promise.all(answers)).map(({ action }) => action);
    expect(actions).toEqual([...Array.from({ length: 5 }, () => 'decline'), 'cancel', 'cancel']);
    expect(await other).toEqual({ action: 'decline' });
  });
});
