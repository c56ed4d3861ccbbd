import type { EditRequest } from '../../packages/core/src/editing/edit-plan.js';

/** What may come of a case: this content, or a refusal for one of these reasons (none: for any). */
export type Acceptable =
  | { readonly content: string; readonly refused?: undefined }
  | { readonly content?: undefined; readonly refused: readonly string[]; readonly causes: readonly string[] };

export interface EditCase {
  readonly group: string;
  readonly name: string;
  readonly request: EditRequest;
  /** The first one is preferred. */
  readonly acceptable: readonly Acceptable[];
}

export function readCorpus(): EditCase[];
export function readCases(group: string, source: string): EditCase[];
