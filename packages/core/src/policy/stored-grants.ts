import { errorMessage } from '../util/failure.js';

/** What a grant was given for. */
export interface GrantedFor {
  /** ISO 8601. */
  readonly time?: string;
  /** The call, in one line for people. */
  readonly call?: string;
  /** ISO 8601: from then on it holds no longer. */
  readonly expires?: string;
}

/**
 * What the file of a project's grants holds, as JSON
 * `{"version":1,"allow":["…"],"given":[{"rule":"…","time":"…","call":"…","expires":"…"}]}`, where `given` may be missing.
 */
export interface StoredGrants {
  readonly rules: readonly string[];
  readonly given: ReadonlyMap<string, GrantedFor>;
}

export const NONE_STORED: StoredGrants = { rules: [], given: new Map() };

export function parseStored(text: string): StoredGrants | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return { problem: `the file is not JSON (${errorMessage(thrown)})` };
  }
  if (typeof value !== 'object' || value === null || !('version' in value) || !('allow' in value)) {
    return { problem: 'the file has no "version" and "allow"' };
  }
  if (value.version !== 1) return { problem: 'the file was written by another version' };
  const { allow } = value;
  if (!Array.isArray(allow) || !allow.every((rule): rule is string => typeof rule === 'string')) {
    return { problem: '"allow" is not a list of texts' };
  }
  return { rules: allow, given: 'given' in value ? givenIn(value.given) : new Map() };
}

export function formatStored({ rules, given }: StoredGrants): string {
  const notes = rules.flatMap((rule) => {
    const note = given.get(rule);
    return note === undefined ? [] : [{ rule, ...note }];
  });
  return `${JSON.stringify({ version: 1, allow: rules, given: notes }, null, 2)}\n`;
}

/** What only informs is passed over where it is not as it should be; an end never is. */
function givenIn(list: unknown): ReadonlyMap<string, GrantedFor> {
  const given = new Map<string, GrantedFor>();
  for (const item of Array.isArray(list) ? (list as readonly unknown[]) : []) {
    if (typeof item !== 'object' || item === null || !('rule' in item) || typeof item.rule !== 'string') continue;
    const time = 'time' in item && typeof item.time === 'string' ? { time: item.time } : undefined;
    const call = 'call' in item && typeof item.call === 'string' ? { call: item.call } : undefined;
    const expires = 'expires' in item ? { expires: String(item.expires) } : undefined;
    if (time !== undefined || expires !== undefined) given.set(item.rule, { ...time, ...call, ...expires });
  }
  return given;
}
