import { ApprovalMode } from './approval-mode.js';
import type { CompiledRule, CompiledRules } from './compile-rules.js';
import { decide } from './decide.js';
import { checkExamples, type ReadCommand } from './rule-examples.js';
import type { Places } from './path-pattern.js';
import type { Rule, RuleList } from './rule.js';
import { breadthOf } from './rule-breadth.js';
import { covers } from './rule-cover.js';
import { mayNameAny, nameProblem, narrowProblem, serverProblem } from './rule-names.js';
import { SHELL_TOOL } from './tool-aliases.js';
import { shellWord } from '../util/shell-word.js';

export type FindingKind =
  | 'unreadable'
  | 'unknown-tool'
  | 'unknown-server'
  | 'never-matches'
  | 'narrow'
  | 'example-fails'
  | 'contradicted'
  | 'shadowed'
  | 'duplicate'
  | 'over-broad';

/** What is wrong with a rule. `error`: it does not do what it says, or opens everything. */
export interface RuleFinding {
  readonly rule: Rule;
  readonly class: 'error' | 'warning';
  readonly kind: FindingKind;
  /** A sentence. */
  readonly message: string;
  /** What to write instead, a sentence. */
  readonly instead: string;
}

/** Everything that can be said of rules without a call. Pure. */
export function lintRules(compiled: CompiledRules, around: Around): RuleFinding[] {
  return allFindings(compiled, around).flatMap((finding): RuleFinding[] => {
    if (finding.rule.isForeign !== true) return [finding];
    // The rule was written for another agent, with other tools and servers, and without knowledge of the rules here.
    return OF_ONE_AGENT.has(finding.kind) ? [] : [{ ...finding, class: 'warning' }];
  });
}

const OF_ONE_AGENT: ReadonlySet<FindingKind> = new Set(['unknown-server', 'duplicate', 'shadowed']);

function allFindings(compiled: CompiledRules, around: Around): RuleFinding[] {
  const { places, readCommand } = around;
  const examples = checkExamples(
    compiled.rules.map(({ rule }) => rule),
    places,
    readCommand,
  );
  return [
    ...compiled.problems.map(({ rule, problem }) =>
      error(rule, 'unreadable', problem, 'Correct the rule, or take it out.'),
    ),
    ...compiled.rules.flatMap((each) => lintAlone(each, around)),
    ...examples.failed.map(({ rule, expected, example, instead }) =>
      error(
        rule,
        'example-fails',
        `its example ${JSON.stringify(example)} stands under "${expected}", but ${instead}.`,
        'Correct the rule or the example.',
      ),
    ),
    ...compiled.rules.flatMap((each, index) => lintBesideOthers(each, index, compiled.rules)),
  ];
}

interface Around {
  readonly places: Places;
  readonly readCommand: ReadCommand;
  /** The names of the tools there are. */
  readonly known: readonly string[];
  /** There is a command that may bring tools of any name. */
  readonly discovers?: boolean;
  /** Servers, as they stand in the names of their tools; undefined where that is not known. */
  readonly servers?: readonly string[] | undefined;
}

function lintAlone(compiled: CompiledRule, around: Around): RuleFinding[] {
  const { rule, parsed } = compiled;
  const nameless = nameProblem(compiled, around.known, mayNameAny(compiled, around));
  if (nameless !== undefined) return [error(rule, 'unknown-tool', nameless, 'Name a tool there is.')];
  const serverless = around.servers === undefined ? undefined : serverProblem(compiled, around.servers);
  if (serverless !== undefined) {
    const instead = 'Name a server there is, or take the rule out.';
    return [{ rule, class: 'warning', kind: 'unknown-server', message: serverless, instead }];
  }
  const never = neverMatches(compiled);
  if (never !== undefined) return [error(rule, 'never-matches', ...never)];
  const narrow = narrowProblem(compiled);
  if (narrow !== undefined) return [{ rule, class: 'warning', kind: 'narrow', ...narrow }];
  if (rule.list !== 'allow') return [];
  const breadth = breadthOf(parsed);
  if (breadth !== undefined) return [{ rule, kind: 'over-broad', ...breadth }];
  const doubt = askedAllTheSame(compiled, around);
  return doubt === undefined ? [] : [error(rule, 'never-matches', ...doubt)];
}

/** Why the very command that an allow rule names is asked about, and what to write. */
function askedAllTheSame(
  { rule, parsed: { specifier } }: CompiledRule,
  { places, readCommand }: Around,
): [string, string] | undefined {
  if (specifier?.kind !== 'command') return undefined;
  const { variables, words, anyRest } = specifier.pattern;
  const [whole = ''] = words.length === 1 && !anyRest ? (words[0] ?? []) : [];
  const written = words.map((word) => shellWord(word.join('x')));
  // Quotes around several words hold a whole command text.
  const text = /\s/.test(whole) ? whole : [...variables.map((word) => word.join('')), ...written].join(' ');
  const call = { toolName: SHELL_TOOL, effects: readCommand(text) };
  const verdict = decide(call, { mode: ApprovalMode.DEFAULT, rules: [rule], ...places });
  if (verdict.decision === 'allow') return undefined;
  return [
    `even \`${text}\` is asked about under it: ${verdict.reason}.`,
    'Take it out: such commands are approved one by one.',
  ];
}

/** Why no call can ever meet the rule, and what to write. */
function neverMatches({ rule, parsed: { specifier } }: CompiledRule): [string, string] | undefined {
  if (specifier?.kind !== 'command') return undefined;
  const { variables, words, anyRest } = specifier.pattern;
  const text = words[0]?.join('*') ?? '';
  if (words.length > 0 && text === '') return ['it names no program.', 'Name one, such as Bash(npm test).'];
  // Deny and ask rules see through quotes and variables.
  if (rule.list !== 'allow') return undefined;
  if (/\s/.test(text) && (anyRest || words.length > 1)) {
    const inner = text.trim().split(/\s+/).join(' ');
    return [
      `no program is called ${JSON.stringify(text)}.`,
      `Without the quotes it is a program with arguments: Bash(${inner} …).`,
    ];
  }
  if (words.length === 0 || variables.some((word) => word.length > 1)) {
    const named = variables.map((word) => word.join('*')).join(' ');
    return [
      `${JSON.stringify(named)} sets variables, but not for one program with certain values.`,
      'Write the variables with their values and the program, such as Bash(TZ=UTC npm test *).',
    ];
  }
  return undefined;
}

const STRICTNESS: readonly RuleList[] = ['allow', 'ask', 'deny'];

function lintBesideOthers(each: CompiledRule, index: number, all: readonly CompiledRule[]): RuleFinding[] {
  const { rule } = each;
  const mine = STRICTNESS.indexOf(rule.list);
  const over = all.find((other) => STRICTNESS.indexOf(other.rule.list) > mine && doesCover(other, each));
  if (over !== undefined) {
    const message = `it never decides: the ${naming(over.rule)} covers all it speaks of, and ${over.rule.list} comes before ${rule.list}.`;
    const instead = `Take one of the two out${rule.list === 'allow' ? ', or narrow the other to what it must stop' : ''}.`;
    return [error(rule, 'contradicted', message, instead)];
  }
  const same = all.findIndex(
    (other) => other.rule.list === rule.list && doesCover(other, each) && doesCover(each, other),
  );
  if (same !== -1 && same < index) {
    const earlier = all[same];
    const message = `it says the same as the ${earlier === undefined ? 'other' : naming(earlier.rule)}.`;
    return [{ rule, class: 'warning', kind: 'duplicate', message, instead: 'Take one of the two out.' }];
  }
  const wider = all.find(
    (other) => other !== each && other.rule.list === rule.list && doesCover(other, each) && !doesCover(each, other),
  );
  if (wider === undefined) return [];
  const message = `it never decides: the ${naming(wider.rule)} covers all it speaks of.`;
  return [{ rule, class: 'warning', kind: 'shadowed', message, instead: 'Take it out, or narrow the other one.' }];
}

function doesCover(wide: CompiledRule, narrow: CompiledRule): boolean {
  if (wide === narrow) return true;
  // A rule with exceptions covers nothing for sure.
  if (wide.rule.unless !== undefined || narrow.rule.unless !== undefined) return false;
  return covers({ list: wide.rule.list, parsed: wide.parsed }, { list: narrow.rule.list, parsed: narrow.parsed });
}

function naming({ list, text, origin }: Rule): string {
  return `${list} rule ${text} (${origin})`;
}

function error(rule: Rule, kind: FindingKind, message: string, instead: string): RuleFinding {
  return { rule, class: 'error', kind, message, instead };
}
