import { makeSafe, readFieldText, safeText, truncateToWidth, type FormField, type Safe } from '@tenon/core';
import type { Frame, Key, Size } from '../screen/panel.js';
import type { Theme } from '../themes/theme.js';
import { kindOf } from '../question-view.js';
import { isLetter, type Hint } from './parts.js';
import { typedText, typeKey, type TypedText } from './text-model.js';
import { TypedView } from './typed-view.js';

export type ReadField = { readonly value: unknown } | { readonly problem: string };

/** Where the person answers one field. */
export interface FieldEditor {
  /** What may be answered. */
  readonly hint: Safe;
  readonly keys: readonly Hint[];
  render(size: Size, theme: Theme): Frame;
  onKey(key: Key): void;
  /** The answer as it stands; `value` undefined: left out. A problem goes on behind "It". */
  read(): ReadField;
}

/** `said`: what the field begins with. */
export function createFieldEditor(field: FormField, said: unknown): FieldEditor {
  return field.kind === 'text' || field.kind === 'number' ? new TextEditor(field, said) : new ListEditor(field, said);
}

type ListField = Extract<FormField, { kind: 'yes-no' | 'choice' | 'choices' }>;

class TextEditor implements FieldEditor {
  readonly keys: readonly Hint[] = [];
  readonly #field: FormField;
  readonly #view = new TypedView();
  #typed: TypedText;

  constructor(field: FormField, said: unknown) {
    this.#field = field;
    this.#typed = typedText(typeof said === 'string' || typeof said === 'number' ? String(said) : '');
  }

  get hint(): Safe {
    return safeText`${kindOf(this.#field)}; ${needOf(this.#field)}`;
  }

  render(size: Size, theme: Theme): Frame {
    const { rows, cursor } = this.#view.draw(this.#typed, { columns: size.columns - 2, height: size.rows });
    const mark = theme.paint('accent', safeText`›`);
    const lines = rows.map((row, index) => safeText`${index === 0 ? mark : safeText` `} ${row}`);
    return { lines, cursor: { row: cursor.row, column: cursor.column + 2 } };
  }

  onKey(key: Key): void {
    this.#typed = typeKey(this.#typed, key) ?? this.#typed;
  }

  read(): ReadField {
    // The default stood here already: whoever took it away does not mean it.
    if (this.#typed.text.trim() !== '') return readFieldText(this.#field, this.#typed.text);
    return this.#field.isRequired ? { problem: 'is required' } : { value: undefined };
  }
}

interface ListOption {
  readonly label: Safe;
  readonly value: unknown;
}

class ListEditor implements FieldEditor {
  readonly #field: ListField;
  readonly #options: readonly ListOption[];
  readonly #chosen: Set<number>;
  #marked: number;
  #top = 0;

  constructor(field: ListField, said: unknown) {
    this.#field = field;
    this.#options = optionsOf(field);
    const values: readonly unknown[] = Array.isArray(said) ? said : [said];
    const chosen = this.#options.flatMap(({ value }, index) => (values.includes(value) ? [index] : []));
    this.#chosen = new Set(this.#isSeveral ? chosen : []);
    this.#marked = chosen[0] ?? 0;
  }

  get #isSeveral(): boolean {
    return this.#field.kind === 'choices';
  }

  get hint(): Safe {
    if (this.#field.kind !== 'choices') return safeText`one of them; ${needOf(this.#field)}`;
    const { minItems, maxItems } = this.#field;
    const least = minItems === undefined ? safeText`` : safeText`, at least ${minItems}`;
    const most = maxItems === undefined ? safeText`` : safeText`, at most ${maxItems}`;
    return safeText`any of them${least}${most}; ${needOf(this.#field)}`;
  }

  get keys(): readonly Hint[] {
    const move: Hint = [safeText`↑↓`, safeText`move`];
    return this.#isSeveral ? [move, [safeText`Space`, safeText`choose`]] : [move];
  }

  render(size: Size, theme: Theme): Frame {
    const height = Math.max(1, size.rows);
    this.#top = Math.min(Math.max(this.#top, this.#marked - height + 1), this.#marked);
    const shown = this.#options.slice(this.#top, this.#top + height);
    const lines = shown.map(({ label }, index) => {
      const at = this.#top + index;
      const box = this.#isSeveral ? (this.#chosen.has(at) ? safeText`[x] ` : safeText`[ ] `) : safeText``;
      const row = (mark: Safe): Safe => truncateToWidth(safeText`${mark} ${box}│ ${label}`, size.columns);
      return at === this.#marked ? theme.paint('selected', row(safeText`›`)) : row(safeText` `);
    });
    return { lines };
  }

  onKey({ name, text }: Key): void {
    const last = this.#options.length - 1;
    const places: Readonly<Record<string, number>> = {
      up: this.#marked - 1,
      down: this.#marked + 1,
      pageUp: this.#marked - 10,
      pageDown: this.#marked + 10,
      home: 0,
      end: last,
    };
    const place = places[name];
    if (place !== undefined) this.#marked = Math.min(Math.max(0, place), last);
    else if (this.#isSeveral && (name === 'space' || text === ' ')) {
      if (!this.#chosen.delete(this.#marked)) this.#chosen.add(this.#marked);
    } else if (this.#field.kind === 'yes-no') {
      if (isLetter(name, text, 'y')) this.#marked = 0;
      if (isLetter(name, text, 'n')) this.#marked = 1;
    }
  }

  read(): ReadField {
    const field = this.#field;
    if (field.kind !== 'choices') return { value: this.#options[this.#marked]?.value };
    const values = this.#options.filter((_option, index) => this.#chosen.has(index)).map(({ value }) => value);
    if (values.length === 0 && !field.isRequired) return { value: undefined };
    const { minItems = 0, maxItems = Infinity } = field;
    if (values.length < minItems) return { problem: `must be at least ${minItems} of the choices` };
    return values.length > maxItems ? { problem: `must be at most ${maxItems} of the choices` } : { value: values };
  }
}

function optionsOf(field: ListField): readonly ListOption[] {
  const options: readonly ListOption[] =
    field.kind === 'yes-no'
      ? [
          { label: safeText`yes`, value: true },
          { label: safeText`no`, value: false },
        ]
      : field.options.map(({ label, value }) => ({ label: makeSafe(label, { maxLength: 500 }), value }));
  const isOffered = field.kind !== 'choices' && !field.isRequired;
  return isOffered ? [...options, { label: safeText`(left out)`, value: undefined }] : options;
}

function needOf({ isRequired }: FormField): Safe {
  return isRequired ? safeText`must be answered` : safeText`may be left out`;
}
