import { parseRule } from '../policy/parse-rule.js';
import type { Rule } from '../policy/rule.js';
import { nameProblem } from '../policy/rule-names.js';
import { WIRE_NAMES } from '../policy/tool-aliases.js';
import { errorMessage, Failure } from '../util/failure.js';
import { isObject } from '../util/is-object.js';
import { FOREIGN_FORMATS, type WrittenRule } from './foreign-formats.js';
import type { ForeignSettings, OtherKind } from './foreign-places.js';
import { parseJson } from './parse-json.js';
import { readToml } from './read-toml.js';
import { readToolLists } from './tool-lists.js';

type Read = Partial<Pick<ForeignSettings, 'rules' | 'without' | 'unread' | 'others' | 'problem'>>;

/** Reads the text of another agent's settings. Never throws because of its contents. */
export async function readForeignText(
  text: string,
  { agent, name }: Pick<ForeignSettings, 'agent' | 'name'>,
): Promise<Read> {
  const format = FOREIGN_FORMATS[agent];
  try {
    const value = format.isToml === true ? readToml(text) : text.trim() === '' ? {} : await parseJson(text);
    if (!isObject(value)) return { problem: 'It holds no object.' };
    const excluded = (format.excluded?.(value) ?? []).map((item) => ({ text: item, origin: name }));
    const lists = readToolLists([{ key: 'tools.exclude', items: excluded }]);
    const counts = Object.entries(format.others(value)) as [OtherKind, number][];
    const ofLists = lists.rules.map((rule): WrittenRule => ({ list: 'deny', text: rule.text }));
    return {
      ...judged([...ofLists, ...format.rules(value)], name),
      without: lists.offered.without,
      others: counts.filter(([, count]) => count > 0).map(([kind, count]) => ({ kind, count })),
    };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { problem: `It cannot be read: ${errorMessage(thrown)}.` };
  }
}

const KNOWN = [...WIRE_NAMES];

function judged(written: readonly WrittenRule[], origin: string): Pick<ForeignSettings, 'rules' | 'unread'> {
  const rules: Rule[] = [];
  const unread: ForeignSettings['unread'][number][] = [];
  for (const each of written) {
    const rule: Rule = { ...each, origin, isForeign: true };
    const parsed = parseRule(rule.text);
    const problem = 'problem' in parsed ? parsed.problem : nameProblem({ parsed }, KNOWN);
    if (problem === undefined) rules.push(rule);
    else unread.push({ rule, problem });
  }
  return { rules, unread };
}
