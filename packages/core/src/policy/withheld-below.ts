import type { ReadPlace, ReadRules, Withheld, WithheldBy } from '../effects/withheld.js';
import { RuleCompiler, type CompiledRule, type CompiledRules } from './compile-rules.js';
import { foldCase, foldForAnyFileSystem } from './fold-name.js';
import {
  firstStates,
  isMetAt,
  nextStates,
  splitPath,
  strictPatterns,
  type Places,
  type StrictPattern,
} from './path-pattern.js';
import { ruleText, type Rule } from './rule.js';
import { namesTool } from './tool-aliases.js';

/** Names of folders that are remembered in one state, and of states; more of them are worked out again. */
const MOST_NAMES = 5_000;
/** By code: of names of these, the last of which is no dot, every fold is the same but for the case. */
const IS_PLAIN = Uint8Array.from({ length: 128 }, (_, code) => (/[\w.@+-]/.test(String.fromCharCode(code)) ? 1 : 0));
const DOT = 46;

/** `context`: the rules by which calls are judged; asked anew each time. */
export function readRulesOf(context: () => Places & { readonly rules: readonly Rule[] }): ReadRules {
  const compiler = new RuleCompiler();
  return {
    below: (toolName, place) => {
      const { rules, ...places } = context();
      return withheldBelow(compiler.compile(rules, places), places, toolName, place);
    },
  };
}

/**
 * What deny and ask rules keep `toolName` from reading below a place: what `decide` would answer by a rule to reading the
 * very file. An ask rule that speaks of the place itself was answered with it. Undefined without such rules.
 */
export function withheldBelow(
  compiled: CompiledRules,
  places: Places,
  toolName: string,
  place: ReadPlace,
): Withheld | undefined {
  const asRead = { kind: 'read', ...place, zone: 'workspace', scope: 'tree' } as const;
  const rules = (['deny', 'ask'] as const).flatMap((list) =>
    compiled.rules.filter((each) => {
      if (each.rule.list !== list || !isOnReading(each, toolName)) return false;
      return list === 'deny' || each.match(toolName, asRead) !== 'yes';
    }),
  );
  return rules.length === 0 ? undefined : new RulesBelow(rules, places, toolName, place);
}

/** Without a path it speaks of the place as well, which is judged by itself. */
function isOnReading({ parsed: { subject, specifier } }: CompiledRule, toolName: string): boolean {
  if (specifier?.kind !== 'path') return false;
  return subject.by === 'effect' ? subject.effect === 'read' : namesTool(subject, toolName);
}

/** One pattern of a rule, from one of the two paths of the place. */
interface Track extends StrictPattern {
  readonly by: WithheldBy;
  readonly rule: number;
}

/** Where all tracks stand after the names of a folder; the same for many folders. */
interface Node {
  readonly by: WithheldBy | undefined;
  readonly states: readonly ReadonlySet<number>[];
  readonly next: Map<string, Node>;
  /** Whether a name may be what a step asks for; all others lead to one and the same node. */
  mayMove?: (name: string) => boolean;
  others?: Node;
  filesIn?: { readonly judge: ((name: string) => WithheldBy | undefined) | undefined };
}

interface Place {
  readonly folder: string;
  readonly node: Node;
}

/** The patterns are carried from folder to folder, so that a file costs a look at its name at most. */
class RulesBelow implements Withheld {
  readonly key: string;
  readonly #rules: readonly CompiledRule[];
  readonly #toolName: string;
  readonly #place: ReadPlace;
  readonly #tracks: readonly Track[];
  readonly #start: Node;
  readonly #nodes = new Map<string, Node>();
  /** The folder that was asked for last, and the one that holds it: mostly the next is one of the two, or lies beside it. */
  #last: Place | undefined;
  #above: Place | undefined;

  constructor(rules: readonly CompiledRule[], places: Places, toolName: string, place: ReadPlace) {
    this.#rules = rules;
    this.#toolName = toolName;
    this.#place = place;
    this.key = JSON.stringify([place, rules.map(({ rule }) => byOf(rule))]);
    const starts = [...new Set([place.path, place.requested])].map(splitPath);
    const begun = rules.flatMap(({ rule, parsed }, at) =>
      patternsOf(parsed, places).flatMap(({ fold, pattern }) =>
        starts.map((names) => ({
          track: { fold, pattern, by: byOf(rule), rule: at },
          states: names.reduce((states, name) => nextStates(pattern, states, fold(name)), firstStates(pattern)),
        })),
      ),
    );
    const open = begun.filter(({ states }) => states.size > 0);
    this.#tracks = open.map(({ track }) => track);
    this.#start = this.#nodeAt(open.map(({ states }) => states));
  }

  folder(relativePath: string): WithheldBy | undefined {
    return this.#nodeOf(relativePath).by;
  }

  filesIn(relativeFolder: string): ((name: string) => WithheldBy | undefined) | undefined {
    const node = this.#nodeOf(relativeFolder);
    node.filesIn ??= { judge: this.#judgeIn(node) };
    return node.filesIn.judge;
  }

  link(relativePath: string, leadsTo: string): WithheldBy | undefined {
    const { requested } = this.#place;
    const separator = requested.endsWith('/') ? '' : '/';
    const asRead = { kind: 'read', path: leadsTo, requested: `${requested}${separator}${relativePath}` } as const;
    const met = this.#rules.find(({ match }) => match(this.#toolName, { ...asRead, zone: 'workspace' }) === 'yes');
    return met === undefined ? undefined : byOf(met.rule);
  }

  #nodeOf(folder: string): Node {
    if (folder === '') return this.#start;
    if (this.#last?.folder === folder) return this.#last.node;
    const slash = folder.lastIndexOf('/');
    const parent = folder.slice(0, Math.max(0, slash));
    if (this.#above?.folder !== parent) this.#above = { folder: parent, node: this.#walk(parent) };
    const node = this.#after(this.#above.node, folder.slice(slash + 1));
    this.#last = { folder, node };
    return node;
  }

  #walk(folder: string): Node {
    if (folder === '') return this.#start;
    return folder.split('/').reduce((node, name) => this.#after(node, name), this.#start);
  }

  #after(node: Node, name: string): Node {
    if (node.by !== undefined) return node;
    node.mayMove ??= this.#stepsOf(node, () => true) ?? (() => false);
    if (!node.mayMove(name)) return (node.others ??= this.#nodeAt(this.#step(node, name)));
    const known = node.next.get(name);
    if (known !== undefined) return known;
    const after = this.#nodeAt(this.#step(node, name));
    if (node.next.size < MOST_NAMES) node.next.set(name, after);
    return after;
  }

  #step(node: Node, name: string): ReadonlySet<number>[] {
    const [anyCase, anySystem] = [foldCase(name), foldForAnyFileSystem(name)];
    return this.#tracks.map(({ fold, pattern }, at) =>
      nextStates(pattern, statesAt(node.states, at), fold === foldCase ? anyCase : anySystem),
    );
  }

  #nodeAt(states: readonly ReadonlySet<number>[]): Node {
    const key = states.map((each) => [...each].sort((a, b) => a - b).join()).join(';');
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const by = this.#tracks.find(({ pattern }, at) => isMetAt(pattern, statesAt(states, at)))?.by;
    const node: Node = { by, states, next: new Map() };
    if (this.#nodes.size < MOST_NAMES) this.#nodes.set(key, node);
    return node;
  }

  #judgeIn(node: Node): ((name: string) => WithheldBy | undefined) | undefined {
    if (node.by !== undefined) return () => node.by;
    const mayBeMet = this.#stepsOf(node, endsAfter);
    if (mayBeMet === undefined) return undefined;
    return (name) => {
      if (!mayBeMet(name)) return undefined;
      const states = this.#step(node, name);
      return this.#tracks.find(({ pattern }, at) => isMetAt(pattern, statesAt(states, at)))?.by;
    };
  }

  /** A quick look at whether a name might be what one of these steps asks for; undefined where there is none. */
  #stepsOf(
    node: Node,
    isMeant: (pattern: StrictPattern['pattern'], state: number) => boolean,
  ): ((name: string) => boolean) | undefined {
    const literals = new Set<string>();
    const wildcards = new Map<string, (name: string) => boolean>();
    for (const [at, { pattern, rule }] of this.#tracks.entries()) {
      for (const state of statesAt(node.states, at)) {
        const step = pattern.steps[state];
        const literal = pattern.literals[state];
        if (step === undefined || step === '**' || !isMeant(pattern, state)) continue;
        if (literal !== undefined) literals.add(literal);
        // Both folds leave plain names the same, and patterns with wildcards too.
        else {
          const fromEnd = pattern.steps.length - state;
          wildcards.set(`${rule} ${fromEnd}`, withEnds(step, segmentOf(this.#rules[rule], fromEnd)));
        }
      }
    }
    if (literals.size + wildcards.size === 0) return undefined;
    const lengths = new Set(Array.from(literals, ({ length }) => length));
    const steps = [...wildcards.values()];
    return (name) => {
      if (!isPlain(name)) return true;
      if (steps.length === 0 && !lengths.has(name.length)) return false;
      const lower = name.toLowerCase();
      return literals.has(lower) || steps.some((step) => step(lower));
    };
  }
}

/** The part of a rule between two slashes, counted from its end. */
function segmentOf(rule: CompiledRule | undefined, fromEnd: number): string {
  const specifier = rule?.parsed.specifier;
  return (specifier?.kind === 'path' ? specifier.pattern.segments.at(-fromEnd) : undefined) ?? '*';
}

/** The same test for names in lower case: what must stand at the start and at the end is looked at first. */
function withEnds(step: (name: string) => boolean, segment: string): (name: string) => boolean {
  if (/[[\\]/.test(segment)) return step;
  const [head = '', tail = ''] = [/^[^*?]*/, /[^*?]*$/].map((end) => foldCase(end.exec(segment)?.[0] ?? ''));
  return (name) => name.startsWith(head) && name.endsWith(tail) && step(name);
}

function isPlain(name: string): boolean {
  let code = DOT;
  for (let at = 0; at < name.length; at++) {
    code = name.charCodeAt(at);
    if (IS_PLAIN[code] !== 1) return false;
  }
  return code !== DOT;
}

/** There is one for each track. */
function statesAt(states: readonly ReadonlySet<number>[], at: number): ReadonlySet<number> {
  return states[at] ?? new Set();
}

/** That step taken, the pattern is met. */
function endsAfter(pattern: StrictPattern['pattern'], state: number): boolean {
  const end = pattern.steps.length;
  let next = state + 1;
  while (pattern.steps[next] === '**' && next < end - 1) next += 1;
  return next === end || (pattern.endsOpen && next === end - 1);
}

function patternsOf({ specifier }: CompiledRule['parsed'], places: Places): readonly StrictPattern[] {
  return specifier?.kind === 'path' ? strictPatterns(specifier.pattern, places) : [];
}

function byOf(rule: CompiledRule['rule']): WithheldBy {
  return { list: rule.list === 'deny' ? 'deny' : 'ask', text: ruleText(rule), origin: rule.origin };
}
