import { isDeepStrictEqual } from 'node:util';
import { describeValue } from './describe-value.js';
import { isJsonObject, type JsonObject } from './json-value.js';
import { toPointer } from './pointer.js';
import { readArguments } from './read-arguments.js';
import { repairValue } from './repair-value.js';
import { declaredNames, openSchema, ReadySchema, type SchemaDocument } from './schema-document.js';

const MAX_LISTED = 10;

export interface RepairRequest {
  /** JSON Schema of the parameters. */
  readonly schema: object | ReadySchema;
  /** The arguments as the model sent them. */
  readonly argumentsText: string;
  /** Other names of top-level parameters: alias → declared name. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Properties whose values are never touched, at any depth. */
  readonly verbatim: readonly string[];
  /** Undoes slips that the schema does not tell, where it accepts them afterwards; a sentence for each. */
  readonly mend?:
    ((args: JsonObject) => { readonly value: JsonObject; readonly repairs: readonly string[] }) | undefined;
  /** Told the arguments when the schema accepts them as they are, so that nobody need look again. */
  readonly onValid?: (value: object) => void;
}

export type RepairAnswer =
  | {
      readonly ok: true;
      /** The arguments; not validated: what could not be repaired is still in them. */
      readonly value: object;
      /** One sentence for the model for everything that was read differently from how it was written. */
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a model's argument text and repairs what has one reading only. Nothing is ever lost or
 * guessed, and arguments that are valid as they are stay as they are. Two levels:
 * reading (fence, trailing comma, empty, encoded twice) and declared aliases always count; repairs of
 * values and names count only when the result is valid. Otherwise none of them is made, so that
 * validation speaks about what the model sent.
 */
export function repairArguments(request: RepairRequest): RepairAnswer {
  const read = readArguments(request.argumentsText);
  if (!read.ok) return read;
  const document = tryOpen(request.schema);
  // A broken schema is the validator's to report.
  if (document === undefined) return { ok: true, value: read.value, repairs: read.repairs };
  const named = applyAliases(document, read.value, request.aliases);
  if (!named.ok) return named;
  const early = [...read.repairs, ...named.repairs];
  if (document.accepts(document.root, named.value)) {
    request.onValid?.(named.value);
    return { ok: true, value: named.value, repairs: early };
  }
  const mended = request.mend?.(named.value) ?? { value: named.value, repairs: [] };
  const repaired = repairValue({
    document,
    value: mended.value,
    text: read.text,
    writtenNames: named.writtenNames,
    verbatim: request.verbatim,
  });
  if (repaired === undefined || !isJsonObject(repaired.value)) return { ok: true, value: named.value, repairs: early };
  return { ok: true, value: repaired.value, repairs: [...early, ...listed([...mended.repairs, ...repaired.repairs])] };
}

function tryOpen(schema: object | ReadySchema): SchemaDocument | undefined {
  try {
    return schema instanceof ReadySchema ? schema.open() : openSchema(schema);
  } catch {
    return undefined;
  }
}

type Named =
  | {
      readonly ok: true;
      readonly value: JsonObject;
      readonly repairs: readonly string[];
      /** Pointer of a property → the name it had in the text. */
      readonly writtenNames: ReadonlyMap<string, string>;
    }
  | { readonly ok: false; readonly message: string };

function applyAliases(document: SchemaDocument, value: JsonObject, aliases: Readonly<Record<string, string>>): Named {
  const writtenNames = new Map<string, string>();
  if (Object.keys(aliases).length === 0) return { ok: true, value, repairs: [], writtenNames };
  const declared = new Set(declaredNames(document, document.root));
  const repairs: string[] = [];
  let current = value;
  for (const [alias, name] of Object.entries(aliases)) {
    if (!Object.hasOwn(current, alias) || declared.has(alias)) continue;
    if (!Object.hasOwn(current, name)) {
      const renamed = Object.entries(current).map(([key, child]) => [key === alias ? name : key, child] as const);
      current = Object.fromEntries(renamed);
      writtenNames.set(toPointer([name]), alias);
      repairs.push(`\`${alias}\` was read as \`${name}\`.`);
    } else if (isDeepStrictEqual(current[alias], current[name])) {
      current = Object.fromEntries(Object.entries(current).filter(([key]) => key !== alias));
      repairs.push(`\`${alias}\` was left out: it repeats \`${name}\`.`);
    } else {
      const [one, other] = [describeValue(current[name]), describeValue(current[alias])];
      const message = `\`${name}\` was ${one} and \`${alias}\`, another name for it, was ${other}. Send \`${name}\` only.`;
      return { ok: false, message };
    }
  }
  return { ok: true, value: current, repairs, writtenNames };
}

function listed(repairs: readonly string[]): string[] {
  if (repairs.length <= MAX_LISTED) return [...repairs];
  const more = repairs.length - MAX_LISTED;
  return [...repairs.slice(0, MAX_LISTED), `${more} more values or names were read in the same way.`];
}
