/** The settings of reaching the web; part of `SETTINGS`, which says what the columns mean. */
export const WEB_SETTINGS = [
  {
    key: 'web.allowPrivateHosts',
    type: 'hosts',
    sentence:
      'Hosts that are fetched although they are not public, for local development: `localhost:3000`, `wiki.example.lan`.',
    securityRelevant: true,
    project: 'stricter',
  },
  {
    key: 'web.askAfterUntrusted',
    type: 'yes-no',
    sentence:
      'Whether, once content of strangers came in, what would send data out is asked about although a rule allows it.',
    default: true,
    securityRelevant: true,
    project: 'stricter',
  },
  {
    key: 'web.upgradeHttp',
    type: 'yes-no',
    sentence: 'Whether addresses that begin with http: are fetched over https.',
    default: false,
    securityRelevant: true,
    project: 'stricter',
  },
  {
    key: 'web.maxMegabytes',
    type: 'positive-number',
    sentence: 'Megabytes of one answer that are fetched at most.',
    default: 10,
    securityRelevant: false,
    project: 'stricter',
  },
  {
    key: 'web.timeout',
    type: 'positive-number',
    sentence: 'Milliseconds that fetching one address may take.',
    default: 60_000,
    securityRelevant: false,
    project: 'trusted',
  },
] as const;
