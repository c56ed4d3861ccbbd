export type RuleList = 'allow' | 'ask' | 'deny';

/** One line of the `allow`, `ask` or `deny` list, as it was written and where. */
export interface Rule {
  readonly list: RuleList;
  /** `Tool` or `Tool(specifier)`, as written. */
  readonly text: string;
  /** Where it came from, for people: `user settings`, `command line`, `this session`, … */
  readonly origin: string;
  /** The administrator of the machine wrote it: a rule of anybody else does not answer for it. */
  readonly isManaged?: true;
  /** True for a rule of another agent's settings: it may name tools and servers that do not exist here. */
  readonly isForeign?: true;
  /** Texts that it must match (command lines, paths or addresses, whatever it speaks of); checked when it is read. */
  readonly match?: readonly string[];
  /** Texts that it must not match. */
  readonly notMatch?: readonly string[];
  /** The calls that it leaves alone, as specifiers of allow rules with its name. */
  readonly unless?: readonly string[];
}

/** What a rule says, for people. */
export function ruleText({ text, unless }: Rule): string {
  return unless === undefined ? text : `${text} (except ${unless.join(', ')})`;
}
