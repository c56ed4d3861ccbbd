/** One thing that a server wants to know. Texts are clean; `name` is as the server spelled it. */
export type FormField = FieldFacts & FieldKind;

export interface FieldFacts {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** By its words it may be a secret, which a server must not ask for in a form. */
  readonly isSecret: boolean;
}

export type FieldKind = TextKind | NumberKind | YesNoKind | ChoiceKind | ChoicesKind;

export interface TextKind {
  readonly kind: 'text';
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  /** In characters. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: string;
}

export interface NumberKind {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface YesNoKind {
  readonly kind: 'yes-no';
  readonly default?: boolean;
}

export interface ChoiceKind {
  readonly kind: 'choice';
  readonly options: readonly FieldOption[];
  readonly default?: string;
}

export interface ChoicesKind {
  readonly kind: 'choices';
  readonly options: readonly FieldOption[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: readonly string[];
}

export interface FieldOption {
  readonly value: string;
  readonly label: string;
}
