import { isJsonObject, own } from '../../schema/json-value.js';
import { plainToolName, serverOf } from '../../policy/tool-aliases.js';
import { WordText, wordsOf } from './words.js';
import type { FunctionDeclaration } from '../tool-registry.js';

/** How much a word counts in a tool's name, its description, the names of its parameters and what is said of these. */
const BY_PLACE = [4, 1, 2, 0.5] as const;

/** The usual ones of BM25: how soon more of the same word counts no more, and how much long texts are held back. */
const K1 = 1.2;
const B = 0.75;
/** A word that only begins so is worth less than the word itself. */
const PART = 0.4;
const SHORTEST_PART = 3;

/** Characters of one field that are looked at. */
const LONGEST_FIELD = 2000;
const MOST_TERMS = 20;
const DEEPEST = 4;

interface IndexedTool {
  readonly name: string;
  /** Words in lower case with a blank on either side of each, the fields one after the other. */
  readonly text: string;
  /** Where the fields after the first begin, in the order of `BY_PLACE`. */
  readonly starts: readonly number[];
  /** By the weights of the words. In characters. */
  readonly length: number;
}

/** Tools made ready to be searched; costs some microseconds for each. */
export interface ToolIndex {
  readonly tools: readonly IndexedTool[];
  readonly averageLength: number;
}

export function indexTools(declarations: readonly FunctionDeclaration[]): ToolIndex {
  const words = new WordText();
  const tools = declarations.map((declaration) => indexTool(declaration, words));
  const total = tools.reduce((sum, { length }) => sum + length, 0);
  return { tools, averageLength: tools.length === 0 ? 1 : Math.max(1, total / tools.length) };
}

/**
 * The names of the tools that a query speaks of, the best first: BM25 over the words of their names, descriptions and parameters.
 * A tool whose very name it is comes first. Deterministic; equals stay in the order of the index. Pure.
 */
export function rankTools(index: ToolIndex, query: string, most: number): readonly string[] {
  const exact = foldName(query);
  const terms = [...new Set(wordsOf(query).map(stem))].slice(0, MOST_TERMS);
  const scores = new Float64Array(index.tools.length);
  for (const term of terms) addScores(index, term, scores);
  const ranked: { readonly name: string; readonly score: number; readonly closeness: number; readonly at: number }[] =
    [];
  for (const [at, { name }] of index.tools.entries()) {
    const [score, close] = [scores[at] ?? 0, closeness(name, exact)];
    if (score > 0 || close > 0) ranked.push({ name, score, closeness: close, at });
  }
  return ranked
    .sort((one, other) => other.closeness - one.closeness || other.score - one.score || one.at - other.at)
    .slice(0, most)
    .map(({ name }) => name);
}

/** 2: it is the name; 1: it is what the tool's own server calls it. */
function closeness(name: string, exact: string): number {
  const folded = name.toLowerCase();
  if (folded === exact) return 2;
  const server = serverOf(folded);
  return server !== undefined && folded.slice(server.length + 2) === exact ? 1 : 0;
}

function foldName(query: string): string {
  return plainToolName(query.trim().toLowerCase());
}

function addScores({ tools, averageLength }: ToolIndex, term: string, scores: Float64Array): void {
  const found: { readonly at: number; readonly weight: number }[] = [];
  for (let at = 0; at < tools.length; at += 1) {
    const tool = tools[at];
    const first = tool?.text.indexOf(term) ?? -1;
    const raw = tool === undefined || first === -1 ? 0 : weightOf(tool, term, first);
    if (tool === undefined || raw === 0) continue;
    const held = K1 * (1 - B + (B * tool.length) / averageLength);
    found.push({ at, weight: (raw * (K1 + 1)) / (raw + held) });
  }
  const rarity = Math.log(1 + (tools.length - found.length + 0.5) / (found.length + 0.5));
  for (const { at, weight } of found) scores[at] = (scores[at] ?? 0) + rarity * weight;
}

function weightOf({ text, starts }: IndexedTool, term: string, first: number): number {
  let weight = 0;
  let field = 0;
  for (let at = first; at !== -1; at = text.indexOf(term, at + 1)) {
    if (text[at - 1] !== ' ') continue;
    while (at >= (starts[field] ?? text.length)) field += 1;
    weight += (BY_PLACE[field] ?? 0) * fitOf(text, at + term.length, term.length);
  }
  return weight;
}

/** How well a word that begins with the term is it: the word itself, or its plural. */
function fitOf(text: string, end: number, length: number): number {
  if (text[end] === ' ' || (text[end] === 's' && text[end + 1] === ' ')) return 1;
  if (text.startsWith('es ', end)) return 1;
  return length >= SHORTEST_PART ? PART : 0;
}

function indexTool({ name, description, parameters }: FunctionDeclaration, words: WordText): IndexedTool {
  const parts: { names: string[]; about: string[] } = { names: [], about: [] };
  gatherParameters(parameters, parts, 0);
  const fields = [name, description, parts.names.join(' '), parts.about.join(' ')];
  const { text, starts } = words.of(fields.map((field) => field.slice(0, LONGEST_FIELD)));
  const ends = [...starts, text.length];
  const length = BY_PLACE.reduce<number>(
    (sum, weight, at) => sum + weight * ((ends[at] ?? 0) - (starts[at - 1] ?? 0)),
    0,
  );
  return { name, text, starts, length };
}

function gatherParameters(node: unknown, parts: { names: string[]; about: string[] }, depth: number): void {
  if (!isJsonObject(node) || depth > DEEPEST) return;
  const properties = own(node, 'properties');
  if (isJsonObject(properties))
    for (const [name, child] of Object.entries(properties)) {
      if (parts.names.length >= LONGEST_FIELD) return;
      parts.names.push(name);
      const about = isJsonObject(child) ? own(child, 'description') : undefined;
      if (typeof about === 'string') parts.about.push(about.slice(0, LONGEST_FIELD));
      gatherParameters(child, parts, depth + 1);
    }
  gatherParameters(own(node, 'items'), parts, depth + 1);
}

/** Without the ending of a plural: what is left is how the word begins. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
