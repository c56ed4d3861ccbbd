import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import { typesOf } from './describe-schema.js';
import { describeValue, shorten, shortJson } from './describe-value.js';
import { isJsonObject, own, replaceAt, surveyJson, valueAt, type JsonObject } from './json-value.js';
import { toPointer } from './pointer.js';
import { findProblems, type Problem } from './problems.js';
import { declaredNames, resolveNode, type SchemaDocument, type SchemaNode } from './schema-document.js';

const MAX_ROUNDS = 8;
const MAX_REPAIRS = 200;

export interface Repaired {
  readonly value: unknown;
  readonly repairs: readonly string[];
}

export interface RepairTask {
  readonly document: SchemaDocument;
  readonly value: JsonObject;
  /** The JSON text that `value` was parsed from: how a number was written is lost in the value. */
  readonly text: string;
  /** Names that properties had in the text, by the pointer of what they are called now. */
  readonly writtenNames: ReadonlyMap<string, string>;
  /** Properties whose values are never touched, at any depth. */
  readonly verbatim: readonly string[];
}

/**
 * Makes the value valid by lossless repairs, or gives undefined. All or nothing: when one problem
 * is left, the model must read about the arguments it sent, not about half-repaired ones.
 */
export function repairValue(task: RepairTask): Repaired | undefined {
  const work = new RepairWork(task);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const problems = listProblems(task.document, work.value);
    if (problems === undefined || problems.length > MAX_REPAIRS) return undefined;
    if (problems.length === 0) return { value: work.value, repairs: work.repairs };
    const before = work.repairs.length;
    for (const problem of problems) work.fix(problem);
    if (work.repairs.length === before) return undefined;
  }
  return undefined;
}

function listProblems(document: SchemaDocument, value: unknown): Problem[] | undefined {
  try {
    const problems = findProblems(document, value);
    if (problems.length > 0 || document.accepts(document.root, value)) return problems;
  } catch (thrown) {
    // Far too many problems for the validator: nothing that a repair would settle.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return undefined;
}

class RepairWork {
  value: unknown;
  readonly repairs: string[] = [];
  readonly #task: RepairTask;
  readonly #writtenNames: Map<string, string>;
  #tree: Node | undefined;

  constructor(task: RepairTask) {
    this.value = task.value;
    this.#task = task;
    this.#writtenNames = new Map(task.writtenNames);
  }

  fix(problem: Problem): void {
    if (problem.kind === 'mismatch') this.#fixValue(problem);
    else if (problem.kind === 'missing' || problem.kind === 'unknown') this.#fixNames(problem);
  }

  #fixValue({ path, node, declared }: Problem): void {
    const { document, verbatim } = this.#task;
    const current = valueAt(this.value, path);
    if (path.length === 0 || current === undefined || path.some((name) => verbatim.includes(name))) return;
    if (document.accepts(node, current)) return;
    if (current === null) {
      // Only a declared property is a parameter that can be left out; an entry of a free map is data.
      if (declared) this.#apply(path, undefined, `${nameOf(path)} was null, read as left out.`);
      return;
    }
    for (const { value, sentence } of this.#candidates(path, current)) {
      const isContainer = typeof value === 'object' && typeof current === 'string' && !isWrapped(value, current);
      // What is wrong inside a decoded value is the next round's work.
      const wanted = isContainer && allowsType(document, node, Array.isArray(value) ? 'array' : 'object');
      if (!wanted && !document.accepts(node, value)) continue;
      this.#apply(path, value, sentence);
      return;
    }
  }

  #candidates(path: readonly string[], current: unknown): { value: unknown; sentence: string }[] {
    const name = nameOf(path);
    const was = `${name} was ${describeValue(current)}`;
    const wrapped = { value: [current], sentence: `${was}, read as an array of this one item.` };
    if (Array.isArray(current)) return [];
    if (typeof current === 'string') {
      const decoded = decode(current);
      const sentence =
        typeof decoded === 'object'
          ? `${name} was a string of JSON, read as ${describeValue(decoded)}.`
          : `${was}, read as ${shortJson(decoded)}.`;
      return decoded === undefined ? [wrapped] : [{ value: decoded, sentence }, wrapped];
    }
    if (typeof current !== 'number' && typeof current !== 'boolean') return [wrapped];
    const text = String(current);
    const asText = { value: text, sentence: `${was}, read as the string "${text}".` };
    const isExact = typeof current === 'boolean' || this.#writtenAt(path) === text;
    return isExact ? [asText, wrapped] : [wrapped];
  }

  /** A property whose name is another only in case and underscores takes that name, when nothing else could. */
  #fixNames(problem: Problem): void {
    const path = problem.path.slice(0, -1);
    const object = valueAt(this.value, path);
    if (!isJsonObject(object)) return;
    const declared = declaredNames(this.#task.document, problem.owner);
    const last = problem.path.at(-1) ?? '';
    const alike = (names: readonly string[]): string[] => names.filter((name) => fold(name) === fold(last));
    const [to, ...otherTargets] = alike(declared);
    const [from, ...otherSources] = alike(Object.keys(object).filter((name) => !declared.includes(name)));
    if (to === undefined || from === undefined || otherTargets.length > 0 || otherSources.length > 0) return;
    if (Object.hasOwn(object, to)) return;
    const renamed = Object.entries(object).map(([name, value]) => [name === from ? to : name, value] as const);
    this.#apply(path, Object.fromEntries(renamed), `${nameOf([...path, from])} was read as ${nameOf([...path, to])}.`);
    this.#writtenNames.set(toPointer([...path, to]), from);
  }

  #apply(path: readonly string[], value: unknown, repair: string): void {
    this.value = replaceAt(this.value, path, value);
    this.repairs.push(repair);
  }

  /** The number at the path as it stands in the text: `5.0` and `5` are the same value but not the same string. */
  #writtenAt(path: readonly string[]): string | undefined {
    this.#tree ??= parseTree(this.#task.text);
    let node = this.#tree;
    for (let index = 0; index < path.length && node !== undefined; index++) {
      const pointer = toPointer(path.slice(0, index + 1));
      const name = this.#writtenNames.get(pointer) ?? path[index] ?? '';
      node = node.type === 'array' ? findNodeAtLocation(node, [Number(name)]) : lastProperty(node, name);
    }
    return node?.type === 'number' ? this.#task.text.slice(node.offset, node.offset + node.length) : undefined;
  }
}

/** `JSON.parse` keeps the last of several properties of one name. */
function lastProperty(node: Node, name: string): Node | undefined {
  return node.children?.findLast((property) => property.children?.[0]?.value === name)?.children?.[1];
}

/** What a string says in JSON, when nothing of it is lost: `05`, `1e3` and integers beyond 2^53 stay strings. */
function decode(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) {
    try {
      const value: unknown = JSON.parse(trimmed);
      return surveyJson(value).problem === null && !holdsHugeInteger(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : undefined;
}

function holdsHugeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsHugeInteger);
}

function isWrapped(value: unknown, item: unknown): boolean {
  return Array.isArray(value) && value.length === 1 && value[0] === item;
}

/** Whether the node, or one of its alternatives, lists the type. */
function allowsType(document: SchemaDocument, node: SchemaNode, type: string, depth = 0): boolean {
  const schema = resolveNode(document, node);
  if (!isJsonObject(schema) || depth > 5) return false;
  const types = typesOf(schema);
  if (types.length > 0) return types.includes(type);
  return ['anyOf', 'oneOf', 'allOf'].some((keyword) => {
    const parts = own(schema, keyword);
    return Array.isArray(parts) && parts.some((part: SchemaNode) => allowsType(document, part, type, depth + 1));
  });
}

function fold(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

function nameOf(path: readonly string[]): string {
  return `\`${shorten(toPointer(path).slice(1), 120)}\``;
}
