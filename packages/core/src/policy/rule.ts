export type RuleList = 'allow' | 'ask' | 'deny';

/** One line of the `allow`, `ask` or `deny` list, as it was written and where. */
export interface Rule {
  readonly list: RuleList;
  /** `Tool` or `Tool(specifier)`, as written. */
  readonly text: string;
  /** Where it came from, for people: `user settings`, `command line`, `this session`, … */
  readonly origin: string;
}
