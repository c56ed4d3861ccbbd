import path from 'node:path';
import { parseRule } from '../policy/parse-rule.js';
import type { Rule } from '../policy/rule.js';
import { nameProblem } from '../policy/rule-names.js';
import { WIRE_NAMES } from '../policy/tool-aliases.js';
import { errorMessage, Failure, systemErrorCode } from '../util/failure.js';
import { isObject } from '../util/is-object.js';
import { FOREIGN_FORMATS, type OtherKind, type WrittenRule } from './foreign-formats.js';
import { parseJson } from './parse-json.js';
import { readingProblem, readSmallFile } from './read-settings-file.js';
import { readToml } from './read-toml.js';
import { readToolLists } from './tool-lists.js';

/** A rule that cannot be read, and why: a sentence. */
export interface UnreadRule {
  readonly rule: Rule;
  readonly problem: string;
}

/** What stands in another agent's settings. Its deny and ask rules count, because they can only tighten. */
export interface ForeignSettings {
  readonly agent: string;
  /** As people write it: below the project, or `~/…`. */
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly rules: readonly Rule[];
  /** Wire names of tools that the model is not offered. */
  readonly without: readonly string[];
  readonly unread: readonly UnreadRule[];
  /** What else stands there and does not count. */
  readonly others: readonly { readonly kind: OtherKind; readonly count: number }[];
  /** Why nothing of the file is used: a sentence. */
  readonly problem?: string;
}

interface Places {
  readonly root: string;
  readonly home: string;
}

/** Reads the settings that the folder and the user's home have for other agents. Never throws; files that aren't there are left out. */
export async function readForeignSettings({ root, home }: Places): Promise<readonly ForeignSettings[]> {
  const places = new Map(
    FOREIGN_FORMATS.flatMap((format) => [
      ...format.home.map((name) => [path.join(home, name), { format, name: `~/${name}` }] as const),
      ...format.project.map((name) => [path.join(root, name), { format, name }] as const),
    ]),
  );
  const read = await Promise.all(
    Array.from(places, async ([file, { format, name }]): Promise<ForeignSettings[]> => {
      const text = await textOf(file);
      if (text === undefined) return [];
      const nothing = { agent: format.agent, name, file, rules: [], without: [], unread: [], others: [] };
      if (typeof text !== 'string') return [{ ...nothing, problem: text.problem }];
      try {
        const value = format.isToml === true ? readToml(text) : text.trim() === '' ? {} : await parseJson(text);
        if (!isObject(value)) return [{ ...nothing, problem: 'It holds no object.' }];
        const excluded = (format.excluded?.(value) ?? []).map((item) => ({ text: item, origin: name }));
        const lists = readToolLists([{ key: 'tools.exclude', items: excluded }]);
        const counts = Object.entries(format.others(value)) as [OtherKind, number][];
        return [
          {
            ...nothing,
            ...judged(
              [...lists.rules.map(({ text: rule }) => ({ list: 'deny' as const, text: rule })), ...format.rules(value)],
              name,
            ),
            without: lists.offered.without,
            others: counts.filter(([, count]) => count > 0).map(([kind, count]) => ({ kind, count })),
          },
        ];
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        return [{ ...nothing, problem: `It cannot be read: ${errorMessage(thrown)}.` }];
      }
    }),
  );
  return read.flat();
}

/** Undefined when there is no such file. */
async function textOf(file: string): Promise<string | { readonly problem: string } | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readSmallFile(file));
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { problem: `It ${readingProblem(thrown, code)}` };
  }
}

const KNOWN = [...WIRE_NAMES];

function judged(written: readonly WrittenRule[], origin: string): Pick<ForeignSettings, 'rules' | 'unread'> {
  const rules: Rule[] = [];
  const unread: UnreadRule[] = [];
  for (const each of written) {
    const rule: Rule = { ...each, origin, isForeign: true };
    const parsed = parseRule(rule.text);
    const problem = 'problem' in parsed ? parsed.problem : nameProblem({ parsed }, KNOWN);
    if (problem === undefined) rules.push(rule);
    else unread.push({ rule, problem });
  }
  return { rules, unread };
}
