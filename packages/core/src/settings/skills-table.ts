/** The settings of skills; part of `SETTINGS`, which says what the columns mean. */
export const SKILL_SETTINGS = [
  {
    key: 'skills.directories',
    type: 'texts',
    sentence:
      'More folders of your own in which skills are looked for: absolute, or from your home as `~/work/skills`.',
    securityRelevant: false,
    project: 'ignored',
  },
] as const;
