import { errorMessage } from '../util/failure.js';
import { patternRisk } from '../util/pattern-cost.js';
import { checkSchema } from './check-schema.js';
import { describeValue } from './describe-value.js';
import { isJsonObject, own, surveyJson, type JsonObject } from './json-value.js';
import { HOLDERS, isPattern, KEYWORD_RULES } from './keywords.js';
import { toPointer } from './pointer.js';
import { draftOf, openSchema } from './schema-document.js';

/** In characters of JSON. */
const LARGEST = 200_000;
const MOST_NOTES = 20;
/** Patterns of one schema that are looked at: each takes some time. */
const MOST_PATTERNS = 200;

/** A schema of others that can be used, and what of it could not be, a sentence each; or why it is of no use, a sentence. */
export type LooseSchema = { readonly schema: object; readonly notes: readonly string[] } | { readonly refused: string };

/**
 * Makes a foreign schema for parameters one that `checkSchema` accepts: what cannot be checked here, or only at a risk (a
 * pattern that might never come to an end), is taken out, so that more is accepted and never less. All else stays as it is.
 * Nothing is ever fetched: a schema that leads to another document is refused. Pure; no part of what was given is changed.
 */
export function looseSchema(given: unknown): LooseSchema {
  if (given === undefined || given === null)
    return { schema: { type: 'object' }, notes: ['It says nothing of parameters.'] };
  if (!isJsonObject(given)) return { refused: `Its parameter schema is no object, but ${describeValue(given)}.` };
  const survey = surveyJson(given);
  if (survey.problem !== null) return { refused: `Its parameter schema cannot be read: it ${survey.problem}.` };
  const { length } = JSON.stringify(given);
  if (length > LARGEST)
    return { refused: `Its parameter schema has ${length} characters; at most ${LARGEST} are taken.` };
  try {
    let loosening = new Loosening(given, false);
    let root = loosening.root(given);
    if ('refused' in root) return root;
    // What was taken out may be what a reference leads to.
    if (root.isLooser) {
      loosening = new Loosening(given, true);
      root = loosening.root(given);
      if ('refused' in root) return root;
    }
    const [problem] = checkSchema(root.schema);
    if (problem !== undefined) return { refused: `Its parameter schema cannot be used: ${problem}` };
    return { schema: root.schema, notes: loosening.notes() };
  } catch (thrown) {
    return { refused: `Its parameter schema cannot be used: ${errorMessage(thrown)}` };
  }
}

interface Loosened {
  readonly node: unknown;
  /** Something below accepts more than before. */
  readonly isLooser: boolean;
}

class Loosening {
  readonly #notes: string[] = [];
  /** The same schema, made ready without patterns, to see where references lead. */
  readonly #leadsNowhere: (reference: JsonObject) => boolean;
  readonly #isLooserBehindReferences: boolean;
  #patterns = 0;

  constructor(given: JsonObject, isLooserBehindReferences: boolean) {
    this.#leadsNowhere = referencesOf(given);
    this.#isLooserBehindReferences = isLooserBehindReferences;
  }

  notes(): readonly string[] {
    const more = this.#notes.length - MOST_NOTES;
    return more <= 0 ? this.#notes : [...this.#notes.slice(0, MOST_NOTES), `And ${more} more like these.`];
  }

  root(given: JsonObject): { readonly schema: object; readonly isLooser: boolean } | { readonly refused: string } {
    const type = own(given, 'type');
    const isObject = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
    if (!isObject) return { refused: `Its parameters are no object, but of the type ${describeValue(type)}.` };
    const { node, isLooser } = this.#loosen(given, []);
    // What a reference leads to may be taken out as well.
    const remote = remoteReference(given) ?? remoteReference(node);
    if (remote !== undefined) {
      const where = describeValue(remote);
      return { refused: `Its parameter schema leads to ${where}, another document; those are not fetched.` };
    }
    if (type === undefined) this.#notes.push('It does not say that its parameters are an object.');
    else if (type !== 'object') this.#notes.push('Its parameters are taken as an object only.');
    const typed = type === 'object' ? node : { ...node, type: 'object' };
    return { schema: this.#withDraft(typed), isLooser };
  }

  /** `$schema` is kept where that draft is known and the schema keeps to it. */
  #withDraft(node: JsonObject): JsonObject {
    const uri = own(node, '$schema');
    if (uri === undefined) return node;
    const draft = draftOf(node);
    if (draft === '7' || (draft !== undefined && checkSchema(node).length === 0)) return node;
    const { $schema: _draft, ...rest } = node;
    this.#notes.push(`It is read by JSON Schema 2020-12, not by ${describeValue(uri)}.`);
    return rest;
  }

  #loosen(node: JsonObject, path: readonly string[]): { readonly node: JsonObject; readonly isLooser: boolean } {
    let isLooser = false;
    const kept: [string, unknown][] = [];
    for (const [keyword, value] of Object.entries(node)) {
      const problem = this.#problemOf(keyword, value, node);
      if (problem !== undefined) {
        this.#note([...path, keyword], problem);
        isLooser ||= !ANNOTATIONS.has(keyword);
        continue;
      }
      const inner = this.#loosenHeld(keyword, value, [...path, keyword]);
      isLooser ||= inner.isLooser;
      if (!this.#turnsRound(keyword, inner)) kept.push([keyword, inner.node]);
      else if (keyword === 'oneOf' && own(node, 'anyOf') === undefined) {
        kept.push(['anyOf', inner.node]);
        this.#notes.push(`\`${toPointer([...path, keyword])}\` is taken as \`anyOf\`.`);
      } else {
        isLooser = true;
        this.#note([...path, keyword], 'depends on what was taken out');
      }
    }
    const isUnsure = isLooser || this.#maybeLooser(node);
    // Not by assignment: a property may be called `__proto__`.
    return { node: withoutLost(node, Object.fromEntries(kept), isUnsure), isLooser };
  }

  /** True where what is accepted inside is refused outside, and more is accepted inside. */
  #turnsRound(keyword: string, { node, isLooser }: Loosened): boolean {
    if (!TURNS_ROUND.has(keyword)) return false;
    return isLooser || this.#maybeLooser(node);
  }

  #maybeLooser(node: unknown): boolean {
    return this.#isLooserBehindReferences && JSON.stringify(node).includes('"$ref"');
  }

  /** Why a keyword is taken out; undefined where it stays. */
  #problemOf(keyword: string, value: unknown, node: JsonObject): string | undefined {
    const rule = KEYWORD_RULES.get(keyword);
    if (rule === undefined) return undefined;
    if (keyword === 'pattern' && typeof value === 'string') return this.#patternProblem(value);
    if (!rule.accepts(value)) return `is not ${rule.expects}`;
    return keyword === '$ref' && this.#leadsNowhere(node) ? `leads nowhere (${describeValue(value)})` : undefined;
  }

  #patternProblem(text: string): string | undefined {
    if (!isPattern(text)) return 'is no regular expression with the `u` flag';
    this.#patterns += 1;
    if (this.#patterns > MOST_PATTERNS) return `is one of more than ${MOST_PATTERNS}`;
    const risk = patternRisk(text);
    return risk === undefined ? undefined : `might take very long to check: it ${risk}`;
  }

  #loosenHeld(keyword: string, value: unknown, path: readonly string[]): Loosened {
    const holder = HOLDERS.get(keyword);
    if (holder === undefined || typeof value !== 'object' || value === null) return { node: value, isLooser: false };
    if (keyword === 'patternProperties') return this.#loosenPatterned(value, path);
    if (isJsonObject(value) && !holder.startsWith('map')) return this.#loosen(value, path);
    const children = Object.entries(value).map(([name, child]: [string, unknown]) => {
      const inner = isJsonObject(child) ? this.#loosen(child, [...path, name]) : { node: child, isLooser: false };
      return { name, ...inner };
    });
    const node: unknown = Array.isArray(value)
      ? children.map((child) => child.node)
      : Object.fromEntries(children.map((child) => [child.name, child.node]));
    return { node, isLooser: children.some((child) => child.isLooser) };
  }

  #loosenPatterned(value: object, path: readonly string[]): Loosened {
    let isLooser = false;
    const kept = Object.entries(value).flatMap(([name, child]: [string, unknown]) => {
      const problem = this.#patternProblem(name);
      if (problem !== undefined) {
        this.#note([...path, name], problem);
        isLooser = true;
        return [];
      }
      if (!isJsonObject(child)) return [[name, child] as const];
      const inner = this.#loosen(child, [...path, name]);
      isLooser ||= inner.isLooser;
      return [[name, inner.node] as const];
    });
    return { node: Object.fromEntries(kept), isLooser };
  }

  #note(path: readonly string[], problem: string): void {
    this.#notes.push(`\`${toPointer(path)}\` ${problem}, and is left out.`);
  }
}

/** Say nothing of what is accepted. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  '$id $anchor $comment title description examples deprecated readOnly writeOnly __absolute_ref__'.split(' '),
);

/** Accept less, or something else, where what they hold accepts more. */
const TURNS_ROUND: ReadonlySet<string> = new Set(['not', 'if', 'oneOf', 'contains']);

/** What stood beside something that is gone and goes with it. `isLooser`: something is gone here or below, or may be. */
function withoutLost(before: JsonObject, after: JsonObject, isLooser: boolean): JsonObject {
  const isGone = (keyword: string): boolean => own(before, keyword) !== undefined && own(after, keyword) === undefined;
  const names = (node: JsonObject): number => Object.keys(own(node, 'patternProperties') ?? {}).length;
  const lost = [
    ...(isGone('if') ? ['then', 'else'] : []),
    ...(isGone('contains') ? ['minContains', 'maxContains'] : []),
    // These speak of what no other keyword has named.
    ...(isGone('properties') || names(after) < names(before) ? ['additionalProperties'] : []),
    ...(isGone('items') ? ['additionalItems'] : []),
    ...(isGone('prefixItems') ? ['items'] : []),
    ...(isLooser ? ['unevaluatedProperties', 'unevaluatedItems'] : []),
  ];
  if (!lost.some((keyword) => Object.hasOwn(after, keyword))) return after;
  return Object.fromEntries(Object.entries(after).filter(([keyword]) => !lost.includes(keyword)));
}

/** The first reference that leads out of the schema. */
function remoteReference(root: JsonObject): string | undefined {
  const ids = new Set<string>();
  const references: string[] = [];
  const open: unknown[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (isJsonObject(node)) {
      const [id, reference] = [own(node, '$id'), own(node, '$ref')];
      if (typeof id === 'string') ids.add(id);
      if (typeof reference === 'string' && !reference.startsWith('#')) references.push(reference);
    }
    open.push(...Object.values(node).toReversed());
  }
  return references.find((reference) => !ids.has(reference.split('#')[0] ?? ''));
}

/** Whether a reference of the schema leads nowhere. Asked about the very nodes of the schema. */
function referencesOf(root: JsonObject): (node: JsonObject) => boolean {
  const { $schema: _draft, ...plain } = root;
  try {
    const document = openSchema(plain);
    const nowhere = new Set<string>();
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if (isJsonObject(node)) {
        const reference = own(node, '$ref');
        if (typeof reference === 'string' && document.target(node) === undefined) nowhere.add(reference);
      }
      for (const child of Object.values(node)) visit(child);
    };
    visit(document.root);
    return (node) => nowhere.has(String(own(node, '$ref')));
  } catch {
    // What is wrong with it is found by the last look at the whole.
    return () => false;
  }
}
