import { dereference, validate, type OutputUnit, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import { errorMessage, Failure } from '../util/failure.js';
import { isJsonObject, own, type JsonObject } from './json-value.js';
import { HOLDERS } from './keywords.js';

/** One schema of a document: an object, or `true` (anything) or `false` (nothing). */
export type SchemaNode = JsonObject | boolean;

/** A JSON Schema made ready: references resolved, values checkable against it or any part of it. */
export interface SchemaDocument {
  readonly root: JsonObject;
  readonly draft: SchemaDraft;
  /** The schema that a `$ref` of this node leads to; undefined when it leads nowhere. */
  target(node: JsonObject): SchemaNode | undefined;
  /** The schema at a location of the validator, `$ref` steps followed. */
  nodeAt(location: readonly string[]): SchemaNode | undefined;
  accepts(node: SchemaNode, value: unknown): boolean;
  /** Everything that is wrong, or only the first thing of each kind when `all` is false. */
  errors(value: unknown, all: boolean): readonly OutputUnit[];
}

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const DRAFT_2020_12 = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** The draft that `$schema` names; 2020-12 when it names none; undefined for one that is not supported. */
export function draftOf(schema: JsonObject): SchemaDraft | undefined {
  const uri = own(schema, '$schema');
  if (uri === undefined) return '2020-12';
  if (typeof uri !== 'string') return undefined;
  if (DRAFT_07.test(uri)) return '7';
  return DRAFT_2020_12.test(uri) ? '2020-12' : undefined;
}

/** A schema that is made ready when it is first needed, and then only once: it must not be changed any more. */
export class ReadySchema {
  readonly schema: object;
  #document: SchemaDocument | undefined;

  constructor(schema: object) {
    this.schema = schema;
  }

  /** @throws Failure `invalid_tool_schema` when the schema cannot be made ready */
  open(): SchemaDocument {
    this.#document ??= openSchema(this.schema);
    return this.#document;
  }
}

/**
 * Costs some hundredths of a millisecond, so whoever asks often keeps a `ReadySchema`. Works on a copy, because
 * resolving references marks the schema it is given, which a frozen one would not survive.
 * @throws Failure `invalid_tool_schema` when the schema cannot be made ready
 */
export function openSchema(schema: object): SchemaDocument {
  try {
    const root = JSON.parse(JSON.stringify(schema)) as JsonObject;
    const draft = draftOf(root);
    if (draft === undefined) throw new TypeError('`$schema` names no supported draft.');
    return documentOf(root, draft, dereference(root));
  } catch (thrown) {
    throw new Failure('invalid_tool_schema', `The parameter schema is broken: ${errorMessage(thrown)}`, {
      cause: thrown,
    });
  }
}

function documentOf(root: JsonObject, draft: SchemaDraft, lookup: Record<string, Schema | boolean>): SchemaDocument {
  const target = (node: JsonObject): SchemaNode | undefined => {
    const uri = node['__absolute_ref__'];
    return typeof uri === 'string' ? lookup[uri] : undefined;
  };
  return {
    root,
    draft,
    target,
    nodeAt: (location) => walk(root, location, target),
    accepts: (node, value) => validate(value, node, draft, lookup, true).valid,
    errors: (value, all) => validate(value, root, draft, lookup, !all).errors,
  };
}

function walk(
  root: SchemaNode,
  location: readonly string[],
  target: (node: JsonObject) => SchemaNode | undefined,
): SchemaNode | undefined {
  let node: unknown = root;
  for (let index = 0; index < location.length; index++) {
    const keyword = location[index] ?? '';
    if (!isJsonObject(node)) return undefined;
    if (keyword === '$ref') {
      node = target(node);
      continue;
    }
    const held = own(node, keyword);
    const inner = location[index + 1];
    // A list or a map takes two steps: the keyword and the index or name in it.
    const isMap = HOLDERS.get(keyword)?.startsWith('map') === true;
    if (inner !== undefined && (isMap || Array.isArray(held))) {
      node =
        typeof held === 'object' && held !== null && Object.hasOwn(held, inner) ? Reflect.get(held, inner) : undefined;
      index++;
    } else {
      node = held;
    }
  }
  return isJsonObject(node) || typeof node === 'boolean' ? node : undefined;
}

/** The node behind a chain of `$ref`s. Where siblings count (2020-12) they are laid over the target. */
export function resolveNode(document: SchemaDocument, node: SchemaNode): SchemaNode {
  let current = node;
  // The bound is for documents that were never checked: a checked one has no endless chain.
  for (let hops = 0; hops < 50 && isJsonObject(current) && typeof current['$ref'] === 'string'; hops++) {
    const next: SchemaNode | undefined = document.target(current);
    if (next === undefined) return current;
    const { $ref: _ref, ...siblings } = current;
    const plain = document.draft === '7' || Object.keys(siblings).length === 0 || !isJsonObject(next);
    if (plain) current = next;
    else current = overlay(next, siblings);
  }
  return current;
}

/** The names under the `properties` of a node. */
export function declaredNames(document: SchemaDocument, node: SchemaNode): string[] {
  const schema = resolveNode(document, node);
  const properties = isJsonObject(schema) ? own(schema, 'properties') : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

function overlay(target: JsonObject, siblings: JsonObject): JsonObject {
  const merged = { ...target, ...siblings };
  // The hidden mark that resolves a `$ref` is not enumerable, so a spread loses it.
  if (typeof target['$ref'] === 'string') {
    Object.defineProperty(merged, '__absolute_ref__', { value: target['__absolute_ref__'], enumerable: false });
  }
  return merged;
}
