import { resolve } from 'node:path';
import { doubtOf, type Effect, type Zone } from '../effects/effect.js';
import { compileRules, type CompiledRule, type RuleMatch } from './compile-rules.js';
import { decide } from './decide.js';
import { ApprovalMode } from './approval-mode.js';
import type { Places } from './path-pattern.js';
import type { Rule } from './rule.js';
import { SHELL_TOOL } from './tool-aliases.js';
import type { PolicyContext } from './verdict.js';

/** The effects of a shell text that runs in the first workspace root. */
export type ReadCommand = (text: string) => readonly Effect[];

/** An example that does not hold. */
export interface FailedExample {
  readonly rule: Rule;
  readonly expected: 'match' | 'not_match';
  readonly example: string;
  /** What happens instead, a sentence for people. */
  readonly instead: string;
}

export interface CheckedExamples {
  readonly passed: number;
  readonly failed: readonly FailedExample[];
}

/**
 * Tries the examples of rules: of each rule alone, whatever the others say. An allow rule matches a call that it lets run
 * unasked in default mode; a deny or ask rule one that it surely decides. `not_match` holds only where the rule says
 * nothing at all, so an example that "may" be met fails both ways. Rules that cannot be read are passed over.
 */
export function checkExamples(rules: readonly Rule[], places: Places, readCommand: ReadCommand): CheckedExamples {
  let passed = 0;
  const failed: FailedExample[] = [];
  for (const rule of rules) {
    const examples = [
      ...(rule.match ?? []).map((example) => ({ example, expected: 'match' as const })),
      ...(rule.notMatch ?? []).map((example) => ({ example, expected: 'not_match' as const })),
    ];
    if (examples.length === 0) continue;
    const [compiled] = compileRules([rule], places).rules;
    if (compiled === undefined) continue;
    for (const { example, expected } of examples) {
      const instead = outcome(compiled, example, expected, { places, readCommand });
      if (instead === undefined) passed += 1;
      else failed.push({ rule, expected, example, instead });
    }
  }
  return { passed, failed };
}

interface Around {
  readonly places: Places;
  readonly readCommand: ReadCommand;
}

/** Undefined when it is as expected. */
function outcome(
  compiled: CompiledRule,
  example: string,
  expected: FailedExample['expected'],
  around: Around,
): string | undefined {
  const call = callOf(compiled, example, around);
  if (call === undefined) {
    return 'a rule that names a tool and nothing else takes no examples; write the rule as Tool(specifier), or leave them out';
  }
  const { list } = compiled.rule;
  const { toolName, effects } = call;
  const matches = effects.map((effect) => compiled.match(toolName, effect));
  const found = list === 'allow' ? allowMatch(compiled, call, around, matches) : strongest(matches);
  if (found === (expected === 'match' ? 'yes' : 'no')) return undefined;
  return describe(compiled.rule, found, effects);
}

interface ExampleCall {
  readonly toolName: string;
  readonly effects: readonly Effect[];
}

function allowMatch(
  { rule }: CompiledRule,
  call: ExampleCall,
  { places }: Around,
  matches: readonly RuleMatch[],
): RuleMatch {
  if (!matches.includes('yes')) return 'no';
  const context: PolicyContext = { mode: ApprovalMode.DEFAULT, rules: [rule], ...places };
  return decide(call, context).decision === 'allow' ? 'yes' : 'no';
}

function strongest(matches: readonly RuleMatch[]): RuleMatch {
  if (matches.includes('yes')) return 'yes';
  return matches.includes('part') ? 'part' : 'no';
}

function describe({ list }: Rule, found: RuleMatch, effects: readonly Effect[]): string {
  if (found === 'part') return 'it asks, because the rule may be met and nobody can tell';
  if (found === 'yes') return list === 'allow' ? 'it would run without a question' : `the ${list} rule stops it`;
  const doubts = effects.flatMap((effect) => doubtOf(effect) ?? []);
  const doubt = doubts.length === 0 ? '' : ` (${doubts.join('; ')})`;
  return list === 'allow' ? `the rule does not let it run unasked${doubt}` : 'the rule says nothing about it';
}

/** What an example means: by the rule's subject a command, a path, an address or an agent. */
function callOf({ parsed }: CompiledRule, example: string, around: Around): ExampleCall | undefined {
  const { subject, specifier } = parsed;
  if (subject.by === 'effect') {
    switch (subject.effect) {
      case 'run':
        return { toolName: SHELL_TOOL, effects: around.readCommand(example) };
      case 'read':
      case 'change':
        return pathCall(example, subject.effect === 'read' ? 'read' : 'write', around.places);
      case 'fetch':
        return { toolName: 'example', effects: [fetchOf(example)] };
      case 'delegate':
        return { toolName: 'example', effects: [{ kind: 'delegate', agent: example }] };
      case 'secret':
        return { toolName: 'example', effects: [{ kind: 'secret', name: example, into: 'an example' }] };
      default:
        return subject.effect satisfies never;
    }
  }
  const toolName = subject.prefix ? `${subject.name}example` : subject.name;
  if (toolName === SHELL_TOOL) return { toolName, effects: around.readCommand(example) };
  if (specifier?.kind === 'path') return { ...pathCall(example, 'read', around.places), toolName };
  return specifier?.kind === 'host' ? { toolName, effects: [fetchOf(example)] } : undefined;
}

function pathCall(example: string, kind: 'read' | 'write', { roots, home }: Places): ExampleCall {
  const isHome = example === '~' || example.startsWith('~/');
  const path = isHome ? resolve(home, `.${example.slice(1)}`) : resolve(roots[0] ?? '/', example);
  const isInside = roots.some((root) => path === root || path.startsWith(`${root}/`));
  const zone: Zone = isInside ? 'workspace' : 'outside';
  return { toolName: 'example', effects: [{ kind, path, requested: path, zone }] };
}

function fetchOf(example: string): Effect {
  const url = /^[a-z][\w+.-]*:\/\//i.test(example) ? example : `https://${example}`;
  return { kind: 'fetch', url, host: URL.canParse(url) ? new URL(url).hostname : example };
}
