/** The settings of secrets; part of `SETTINGS`, which says what the columns mean. */
export const SECRET_SETTINGS = [
  {
    key: 'secrets.enabled',
    type: 'yes-no',
    sentence:
      'Whether known secrets (of the environment, of `.env` files, and keys of known kinds) are replaced by placeholders in all that the model is told, that is shown, and that is written down.',
    default: true,
    securityRelevant: true,
    project: 'stricter',
  },
  {
    key: 'secrets.names',
    type: 'texts',
    sentence: 'Variables whose values are secrets, whatever their names look like; `*` stands for anything.',
    securityRelevant: false,
    project: 'stricter',
  },
  {
    key: 'secrets.ignore',
    type: 'texts',
    sentence: 'Variables whose values are no secrets, whatever their names look like; `*` stands for anything.',
    securityRelevant: true,
    project: 'stricter',
  },
] as const;
