import { explainMissingFile, type MissingFile } from '../files/explain-missing-file.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { Failure } from '../util/failure.js';

/** The error for a place that is not there, with the names that come nearest; hidden and withheld names are not given away. */
export async function missingPathFailure(
  gate: WorkspaceGate,
  path: string,
  { isWithheld, wanted }: { readonly isWithheld: (path: string) => boolean } & Required<Pick<MissingFile, 'wanted'>>,
): Promise<Failure> {
  const isIgnored = (other: string): boolean => gate.check(other) !== null || isWithheld(other);
  return new Failure('file_not_found', await explainMissingFile({ gate, isIgnored, path, wanted }));
}
