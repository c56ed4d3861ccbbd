/** The settings of the model's window, of what one prompt may use, and of the terminal; part of `SETTINGS`, which says what the columns mean. */
export const SESSION_SETTINGS = [
  {
    key: 'model.contextWindow',
    type: 'positive-number',
    sentence:
      'Tokens that the model can be sent at once; without it, what is known of the model by its name, else 128,000.',
    securityRelevant: false,
    project: 'trusted',
  },
  {
    key: 'model.maxOutputTokens',
    type: 'positive-number',
    sentence: 'Tokens that one answer of the model may take; without it, what the endpoint allows.',
    securityRelevant: false,
    project: 'trusted',
  },
  {
    key: 'model.reasoningEffort',
    type: 'reasoning-effort',
    sentence:
      'How much the model thinks before it answers: none, minimal, low, medium, high, xhigh or max, of which each model has some; without it, as the model does by itself.',
    securityRelevant: false,
    project: 'trusted',
  },
  {
    key: 'model.idleTimeout',
    type: 'positive-number',
    sentence:
      'Seconds for which the model may send nothing; without it, 600 until its answer begins and 120 from then on.',
    securityRelevant: false,
    project: 'trusted',
  },
  {
    key: 'model.extraBody',
    type: 'json-object',
    sentence:
      'Fields that are merged into the body of every request to the model: {"temperature": 0.2}; null takes a field away.',
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'model.callsInText',
    type: 'yes-no',
    sentence:
      'Whether calls that the model writes as text (`<tool_call>…`, `<function=…>` and the like) become calls, where a server lets them through.',
    default: true,
    securityRelevant: false,
    project: 'trusted',
  },
  {
    key: 'model.prices',
    type: 'prices',
    sentence:
      'What a million tokens of the model cost: {"input": 3, "output": 15, "cachedInput": 0.3, "cacheWrite": 3.75}; Tenon has no list of prices.',
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'context.compactAt',
    type: 'share',
    sentence:
      'The share of the window, from 0 to 1, at which a conversation is made shorter by itself; 0: only when the provider refuses it.',
    default: 0.8,
    securityRelevant: false,
    project: 'trusted',
  },
  {
    key: 'limits.maxSeconds',
    type: 'positive-number',
    sentence: 'Seconds that one prompt may take; the time in which a question waits for an answer does not count.',
    securityRelevant: false,
    project: 'stricter',
  },
  {
    key: 'limits.maxCost',
    type: 'positive-amount',
    sentence: 'What one prompt may cost, in the currency of `model.prices`, which it needs.',
    securityRelevant: true,
    project: 'stricter',
  },
  {
    key: 'plans.directory',
    type: 'text',
    sentence:
      "The folder in which approved plans are kept: relative to the project, absolute, or below `~/`; without it, one of the project's own in Tenon's folder.",
    securityRelevant: false,
    project: 'trusted',
    aliases: ['plansDirectory'],
  },
  {
    key: 'ui.theme',
    type: 'theme',
    sentence:
      'The colours of the terminal: auto (what it says of itself), dark, light, high-contrast, no-colour, or a theme of your own (see the guide).',
    default: 'auto',
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'ui.screenReader',
    type: 'yes-no',
    sentence: 'Whether the terminal shows plain lines in the order of time, for screen readers.',
    default: false,
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'ui.keys',
    type: 'key-bindings',
    sentence: 'The keys of actions, by action: a key such as "ctrl+o", or a list of them (see the guide).',
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'ui.images',
    type: 'images',
    sentence: 'Whether images are shown in the terminal: auto (where it can) or off.',
    default: 'auto',
    securityRelevant: false,
    project: 'stricter',
  },
  {
    key: 'ui.diff',
    type: 'diff-layout',
    sentence: 'How changes are shown: auto (side by side where there is room), unified or side-by-side.',
    default: 'auto',
    securityRelevant: false,
    project: 'free',
  },
  {
    key: 'ui.editor',
    type: 'text',
    sentence: 'The command that opens a text for editing; without it, that of the variables VISUAL and EDITOR.',
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'ui.welcomeBack',
    type: 'yes-no',
    sentence: 'Whether a new session in the terminal begins with a line about the last one of the folder.',
    default: true,
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'ui.bell',
    type: 'yes-no',
    sentence: 'Whether the terminal rings when a question waits for an answer.',
    default: false,
    securityRelevant: false,
    project: 'ignored',
  },
] as const;
