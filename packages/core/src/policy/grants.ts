import { errorMessage, Failure } from '../util/failure.js';
import { changeOwnerFile, readOwnerFile } from '../util/owner-file.js';
import { parseRule } from './parse-rule.js';
import type { Rule } from './rule.js';
import { formatStored, NONE_STORED, parseStored, type GrantedFor, type StoredGrants } from './stored-grants.js';

const LARGEST = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The last moment that can be written down. */
const LATEST_MS = 8.64e15;

/** A grant. When and for what it was given is not known of those that earlier versions saved. */
export interface Grant extends GrantedFor {
  readonly rule: string;
  readonly scope: 'project' | 'session';
  /** It holds no longer, and is dropped when the next one is saved. */
  readonly isOver?: true;
}

interface GrantsOptions {
  /** For how many days a project's grant holds, also one that was saved when more were usual. Default: no end. */
  readonly days?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * The allow rules that the person granted with "always": for this session in memory, for this project in one
 * JSON file under Tenon's home (see `StoredGrants`), readable by its owner only.
 */
export class Grants {
  readonly #file: string;
  readonly #days: number | undefined;
  readonly #now: () => number;
  #session: readonly Rule[] = [];
  #project: readonly Rule[] = [];
  #givenHere = new Map<string, GrantedFor>();
  #given: ReadonlyMap<string, GrantedFor> = new Map();

  constructor(file: string, { days, now = Date.now }: GrantsOptions = {}) {
    this.#file = file;
    this.#days = days;
    this.#now = now;
  }

  /** Every grant that holds now, the project's first. */
  rules(): readonly Rule[] {
    return [...this.#project.filter(({ text }) => this.#holds(text, this.#given)), ...this.#session];
  }

  forSession(): readonly Rule[] {
    return this.#session;
  }

  /** All of them, those too that hold no longer, with when and for what each was given. */
  list(): readonly Grant[] {
    return [
      ...this.#project.map(({ text }) => this.#projectGrant(text)),
      ...this.#session.map(({ text }): Grant => ({ rule: text, scope: 'session', ...this.#givenHere.get(text) })),
    ];
  }

  #projectGrant(rule: string): Grant {
    const given = this.#given.get(rule);
    const end = this.#endOf(given);
    return {
      rule,
      scope: 'project',
      ...given,
      ...(Number.isFinite(end) && { expires: timeText(end) }),
      ...(!this.#holds(rule, this.#given) && { isOver: true }),
    };
  }

  /** Holds until the session ends. @throws Failure `invalid_rule` */
  addSession(rules: readonly string[], call?: string): void {
    this.#session = merge(this.#session, rules.map(checked), 'this session');
    const given = grantedFor(call, this.#now());
    for (const rule of rules) this.#givenHere.set(rule, given);
  }

  /** Another session begins: what was granted for this one holds no longer. */
  endSession(): void {
    this.#session = [];
    this.#givenHere = new Map();
  }

  /**
   * Saves rules for the project and lets them hold at once; what other sessions saved meanwhile is kept. A file
   * that cannot be read is set aside as `….damaged-…`, never overwritten. @throws Failure `invalid_rule`, `grants_not_saved`
   */
  async addProject(rules: readonly string[], call?: string): Promise<void> {
    const added = rules.map(checked);
    const now = this.#now();
    const end = this.#days === undefined ? {} : { expires: timeText(now + this.#days * DAY_MS) };
    const fresh: GrantedFor = { ...grantedFor(call, now), ...end };
    await this.#change(({ rules: before, given }) => ({
      rules: [...new Set([...before, ...added])],
      given: new Map([...given, ...added.map((rule): [string, GrantedFor] => [rule, fresh])]),
    }));
  }

  /** Takes saved rules back, at once; those that are not there are passed over. @throws Failure `grants_not_saved` */
  async revokeProject(rules: readonly string[]): Promise<void> {
    const gone = new Set(rules);
    await this.#change(({ rules: before, given }) => ({ rules: before.filter((rule) => !gone.has(rule)), given }));
  }

  /** Takes rules of this session back, at once; those that are not there are passed over. */
  revokeSession(rules: readonly string[]): void {
    const gone = new Set(rules);
    this.#session = this.#session.filter(({ text }) => !gone.has(text));
    for (const rule of gone) this.#givenHere.delete(rule);
  }

  /** What holds no longer is dropped on the way. */
  async #change(change: (stored: StoredGrants) => StoredGrants): Promise<void> {
    try {
      let changed = NONE_STORED;
      await changeOwnerFile(this.#file, {
        largest: LARGEST,
        isSound: (text) => !('problem' in parseStored(text)),
        change: (text) => {
          const stored = text === undefined ? NONE_STORED : parseStored(text);
          const { rules, given } = 'problem' in stored ? NONE_STORED : stored;
          changed = change({ rules: rules.filter((rule) => this.#holds(rule, given)), given });
          return formatStored(changed);
        },
      });
      this.#hold(changed);
    } catch (thrown) {
      throw new Failure('grants_not_saved', `The rule could not be saved in ${this.#file}: ${errorMessage(thrown)}`, {
        cause: thrown,
      });
    }
  }

  #hold({ rules, given }: StoredGrants): void {
    this.#project = merge([], rules.filter(isUsable), 'this project');
    this.#given = given;
  }

  /** Reads the project's grants. What is wrong with them is returned, one sentence each, and grants nothing. */
  async load(): Promise<string[]> {
    const read = readOwnerFile(this.#file, LARGEST) ?? { text: undefined };
    const stored = 'problem' in read ? read : read.text === undefined ? NONE_STORED : parseStored(read.text);
    if ('problem' in stored) {
      this.#project = [];
      return [`The project's saved rules are not used: ${stored.problem}. Mend or remove ${this.#file}.`];
    }
    this.#hold(stored);
    return stored.rules
      .filter((rule) => !isUsable(rule))
      .map((rule) => `The saved rule ${JSON.stringify(rule)} in ${this.#file} cannot be read and grants nothing.`);
  }

  #holds(rule: string, given: StoredGrants['given']): boolean {
    return this.#now() < this.#endOf(given.get(rule));
  }

  /** The earlier of what was saved with it and what is usual now; a moment that cannot be told is long past. */
  #endOf({ time, expires }: GrantedFor = {}): number {
    const saved = expires === undefined ? Number.POSITIVE_INFINITY : momentOf(expires);
    const usual = this.#days === undefined ? Number.POSITIVE_INFINITY : momentOf(time) + this.#days * DAY_MS;
    return Math.min(saved, usual);
  }
}

function momentOf(time: string | undefined): number {
  const moment = Date.parse(time ?? '');
  return Number.isNaN(moment) ? Number.NEGATIVE_INFINITY : moment;
}

function timeText(moment: number): string {
  return new Date(Math.min(moment, LATEST_MS)).toISOString();
}

const LONGEST_CALL = 500;

function grantedFor(call: string | undefined, now: number): GrantedFor {
  return { time: timeText(now), ...(call !== undefined && { call: call.slice(0, LONGEST_CALL) }) };
}

function checked(text: string): string {
  const parsed = parseRule(text);
  if ('problem' in parsed)
    throw new Failure('invalid_rule', `The rule ${JSON.stringify(text)} cannot be saved. ${parsed.problem}`);
  return text;
}

function isUsable(text: string): boolean {
  return !('problem' in parseRule(text));
}

function merge(rules: readonly Rule[], texts: readonly string[], origin: string): readonly Rule[] {
  const known = new Set(rules.map((rule) => rule.text));
  const fresh = [...new Set(texts)].filter((text) => !known.has(text));
  return [...rules, ...fresh.map((text): Rule => ({ list: 'allow', text, origin }))];
}
