import {
  createPainter,
  joinSafe,
  makeSafe,
  safeText,
  splitLines,
  type FormField,
  type PersonQuestion,
  type Safe,
} from '@tenon/core';
import { safeBlock, safeLine } from '../../ui/safe-lines.js';

/** What a person sees before they answer. Words of a server stand behind a bar, so that none of them looks like Tenon's own. */
export function questionView(question: PersonQuestion, colour: boolean): Safe {
  const paint = createPainter(colour);
  const server = paint('bold', safeLine(JSON.stringify(question.server)));
  const own = paint('dim', safeText`(lines with │ are its own words)`);
  const warn = (text: Safe): Safe => paint('yellow', text);
  switch (question.kind) {
    case 'form': {
      const secrets = question.fields.filter(({ isSecret }) => isSecret);
      const count = question.fields.length;
      const what =
        count === 0
          ? safeText`asks for a yes`
          : safeText`has a question with ${count} ${count === 1 ? safeText`field` : safeText`fields`}`;
      const warning = safeText`Careful: a server must not ask for secrets in this way, and this looks like it:\n`;
      const lines = [safeText`The server ${server} ${what} ${own}\n${quoted(question.message)}`];
      if (secrets.length > 0)
        lines.push(safeText`${warn(warning)}${quoted(secrets.map(({ label }) => label).join('\n'))}`);
      return joinSafe(lines, safeText``);
    }
    case 'page': {
      const { host, protocol, hostname } = new URL(question.url);
      const warnings = [
        ...(protocol === 'https:' ? [] : [safeText`Careful: the way there is not protected (http).\n`]),
        ...(hostname.includes('xn--')
          ? [safeText`Careful: the name of the host has letters that look like others.\n`]
          : []),
      ];
      const head = safeText`The server ${server} asks you to open a page ${own}\n${quoted(question.message)}`;
      const place = safeText`Page: ${safeLine(question.url)}\nHost: ${paint('bold', safeLine(host))}\n`;
      return joinSafe([head, place, ...warnings.map((text) => warn(text))], safeText``);
    }
    case 'sampling': {
      const model = safeLine(question.model);
      if (question.stage === 'answer')
        return safeText`The model answered for the server ${server} (lines with │ are its words)\n${quoted(question.text)}`;
      const note = paint(
        'dim',
        safeText`Nothing of this session goes along. It costs what an answer of the model costs.\n`,
      );
      return safeText`The server ${server} wants an answer of your model, ${model} ${own}\n${quoted(question.text)}${note}`;
    }
    default:
      return question satisfies never;
  }
}

/** One field, and what may be typed for it. `before`: what Enter alone stands for. */
export function fieldView(field: FormField, place: Safe, before: unknown, colour: boolean): Safe {
  const paint = createPainter(colour);
  const need = field.isRequired ? safeText`must be answered` : safeText`may be left out`;
  const options = 'options' in field ? field.options : [];
  const choices = options.map(({ label }, index) => safeText`  ${index + 1}  │ ${safeLine(label)}\n`);
  const enter = before === undefined ? safeText`` : safeText`; Enter alone: ${shownValue(field, before)}`;
  const hint = paint('dim', safeText`  ${kindOf(field)}; ${need}${enter}\n`);
  return joinSafe([fieldWords(field, place), ...choices, hint], safeText``);
}

/** Which field it is, and what the server says of it. */
export function fieldWords(field: FormField, place: Safe): Safe {
  const texts = [field.label, ...(field.description === undefined ? [] : [field.description])];
  return safeText`${place}\n${quoted(texts.join('\n'))}`;
}

/** All that is about to be sent. */
export function reviewView(fields: readonly FormField[], content: ReadonlyMap<string, unknown>, server: string): Safe {
  const lines = fields.map((field) => {
    const value = content.get(field.name);
    const shown = value === undefined ? safeText`(left out)` : shownValue(field, value);
    return safeText`│ ${safeLine(field.label)} → ${shown}\n`;
  });
  return joinSafe([safeText`This goes to ${safeLine(JSON.stringify(server))}:\n`, ...lines], safeText``);
}

function shownValue(field: FormField, value: unknown): Safe {
  if (typeof value === 'boolean') return value ? safeText`yes` : safeText`no`;
  const values = (Array.isArray(value) ? value : [value]).map((one: unknown) => {
    const option = 'options' in field ? field.options.find((known) => known.value === one) : undefined;
    return makeSafe(option?.label ?? String(one), { maxLength: 500 });
  });
  return values.length === 0 ? safeText`none of them` : joinSafe(values, safeText`, `);
}

/** What may be typed for a field. */
export function kindOf(field: FormField): Safe {
  switch (field.kind) {
    case 'text': {
      const { minLength, maxLength, format } = field;
      const kinds = {
        email: safeText`an email address`,
        uri: safeText`an address with its scheme`,
        date: safeText`a date (2026-11-22)`,
        'date-time': safeText`a date with time and zone (2026-11-22T10:00:00Z)`,
      };
      return safeText`${format === undefined ? safeText`a text` : kinds[format]}${between(minLength, maxLength, safeText` characters`)}`;
    }
    case 'number':
      return safeText`${field.isInteger ? safeText`a whole number` : safeText`a number`}${between(field.minimum, field.maximum, safeText``)}`;
    case 'yes-no':
      return safeText`y or n`;
    case 'choice':
      return safeText`one of them, by number or name`;
    case 'choices':
      return safeText`some of them, by number or name, with commas${between(field.minItems, field.maxItems, safeText` of them`)}`;
    default:
      return field satisfies never;
  }
}

function between(least: number | undefined, most: number | undefined, unit: Safe): Safe {
  if (least !== undefined && most !== undefined) return safeText`, ${least} to ${most}${unit}`;
  if (least !== undefined) return safeText`, at least ${least}${unit}`;
  return most === undefined ? safeText`` : safeText`, at most ${most}${unit}`;
}

function quoted(text: string): Safe {
  if (text === '') return safeText``;
  return joinSafe(
    splitLines(safeBlock(text)).map((line) => safeText`│ ${line}\n`),
    safeText``,
  );
}
