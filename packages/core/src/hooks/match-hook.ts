import type { Effect } from '../effects/effect.js';
import { compileRules } from '../policy/compile-rules.js';
import { parseRule } from '../policy/parse-rule.js';
import { namesToolStrictly, peerNames, subjectOf } from '../policy/tool-aliases.js';
import { errorMessage } from '../util/failure.js';
import { linearPattern } from '../util/linear-pattern.js';
import type { HookEventName } from './hook-types.js';

/** What a matcher is held against: a call, or one word of another event (`startup`, `auto`, …). */
export type Matched =
  | {
      readonly kind: 'call';
      readonly toolName: string;
      readonly displayName: string;
      readonly effects: readonly Effect[];
    }
  | { readonly kind: 'word'; readonly word: string };

/** What rules need to know of the place. */
export interface Places {
  /** Canonical. */
  readonly roots: readonly string[];
  readonly home: string;
}

export type Matcher = (matched: Matched, places: Places) => boolean;

export const CALL_EVENTS: ReadonlySet<HookEventName> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
]);

/** They come in no kinds: files of other agents may have a matcher there all the same, which means nothing. */
const WITHOUT_KINDS: ReadonlySet<HookEventName> = new Set(['UserPromptSubmit', 'Stop']);
const PLAIN = /^[\w .-]+$/;
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Reads a matcher: nothing or `*` (all), a name, names with `|` or a comma between them, a rule with a specifier
 * (`Bash(git *)`), or else a regular expression that is looked for in the names. A rule speaks of whatever may be meant,
 * as deny rules do: what cannot be known about a call is no way around a hook.
 */
export function readMatcher(event: HookEventName, text: string): Matcher | { readonly problem: string } {
  const matcher = text.trim();
  if (matcher === '' || matcher === '*' || WITHOUT_KINDS.has(event)) return () => true;
  if (HIDDEN.test(matcher)) return { problem: 'it has a control or invisible character' };
  const names = matcher.split(/[|,]/).map((name) => name.trim());
  if (names.every((name) => PLAIN.test(name))) return (matched) => names.some((name) => isNamed(name, matched));
  if (CALL_EVENTS.has(event) && isRule(matcher)) return readCondition(matcher);
  try {
    const pattern = linearPattern(matcher);
    return (matched) => namesOf(matched).some((name) => pattern.test(name));
  } catch (thrown) {
    return { problem: errorMessage(thrown) };
  }
}

/** Reads a rule, with a specifier or without. */
export function readCondition(text: string): Matcher | { readonly problem: string } {
  const rule = { list: 'deny', text, origin: 'a hook' } as const;
  const parsed = parseRule(text);
  if ('problem' in parsed) return { problem: parsed.problem };
  return (matched, places) => {
    if (matched.kind !== 'call') return false;
    const { toolName, effects } = matched;
    const [compiled] = compileRules([rule], places).rules;
    if (compiled === undefined) return true;
    const subjects = effects.length === 0 ? [undefined] : effects;
    return subjects.some((effect) => compiled.match(toolName, effect) !== 'no');
  };
}

/** `Name(…)` can be meant as a pattern as well: with `|` or a wildcard of patterns in it, unless the name is a known class. */
function isRule(text: string): boolean {
  const parsed = parseRule(text);
  if ('problem' in parsed || parsed.specifier === undefined) return false;
  return subjectOf(parsed.name).by === 'effect' || !/[|]|\.\*/.test(text);
}

function isNamed(name: string, matched: Matched): boolean {
  const wanted = name.toLowerCase();
  if (namesOf(matched).some((each) => each.toLowerCase() === wanted)) return true;
  if (matched.kind === 'word') return false;
  const subject = subjectOf(name);
  return namesToolStrictly(subject, matched.toolName);
}

function namesOf(matched: Matched): readonly string[] {
  return matched.kind === 'word'
    ? [matched.word]
    : [matched.toolName, matched.displayName, ...peerNames(matched.toolName)];
}
