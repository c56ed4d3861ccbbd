/**
 * An error that a caller can branch on. Every error that Tenon raises on purpose is one of these:
 * `code` is a lower_snake word of the `ToolErrorType` list (or an embedder's own), `message` names
 * the cause and the next step in words that the model and the person can both use.
 */
export class Failure extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Failure';
    this.code = code;
  }
}

/** The text of anything that was thrown, never empty. */
export function errorMessage(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  const text = String(thrown);
  return text === '' ? 'unknown error' : text;
}

/** The system error code (`ENOENT`, …) of a thrown value, if it carries one. */
export function systemErrorCode(thrown: unknown): string | undefined {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return undefined;
}
