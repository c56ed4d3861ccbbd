/** A value that must not be seen. */
export interface KnownSecret {
  /** As it stands in its placeholder: letters, digits, `_`, `.` and `-`. */
  readonly name: string;
  readonly value: string;
  /** Where it was found, for people: never any of the value. */
  readonly from: string;
  /** Another value has the bare name. */
  readonly isOther?: true;
}

/** A stretch of a text that is a secret, or that a secret made. `end` is behind it. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  /** The start of the first line, if this is one line of a secret with line breaks. */
  readonly begin?: number;
  readonly name: string;
  /** The value that the bare name stands for. */
  readonly value?: string;
}
