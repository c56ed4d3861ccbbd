/** The known facts about a server that speaks OpenAI's chat completions. */
export interface ServerFacts {
  /** The field that limits the answer. OpenAI's newer models refuse `max_tokens`; other servers know only `max_tokens`. */
  readonly limitField: 'max_tokens' | 'max_completion_tokens';
  /** True if the server takes PDFs as they are. Other servers refuse the whole request. */
  readonly documents: boolean;
  /** True if the server caches up to points that the request names. Other servers may refuse the request. */
  readonly cachePoints: boolean;
  /** The `reasoning_content` for an answer without any, in a conversation with reasoning. */
  readonly blankReasoning: string;
  /** True if the model wants its thinking back within its text, in the tags in which it came. */
  readonly thinkTags: boolean;
  /** True if calls and thinking never come as text, so that text which looks like them is plain text. */
  readonly plainText: boolean;
}

const ANY_SERVER: ServerFacts = {
  limitField: 'max_tokens',
  documents: false,
  cachePoints: false,
  blankReasoning: '',
  thinkTags: false,
  plainText: false,
};

interface Row {
  readonly host?: RegExp;
  readonly model?: RegExp;
  readonly facts: Partial<ServerFacts>;
}

/** Every matching row counts; later rows override earlier ones. */
const ROWS: readonly Row[] = [
  {
    host: /^api\.openai\.com$/,
    facts: { limitField: 'max_completion_tokens', documents: true, plainText: true },
  },
  { host: /\.openai\.azure\.com$/, facts: { documents: true, plainText: true } },
  { host: /^openrouter\.ai$/, facts: { documents: true } },
  { host: /^openrouter\.ai$/, model: /^~?(?:anthropic|qwen)\//, facts: { cachePoints: true } },
  // Model Studio, whose older name is DashScope.
  {
    host: /(?:^|\.)dashscope(?:-[a-z]+)?\.aliyuncs\.com$|\.maas\.aliyuncs\.com$/,
    model: /qwen/i,
    facts: { cachePoints: true },
  },
  // Kimi refuses a conversation with reasoning in which one answer has none, or an empty text.
  { host: /(?:^|\.)(?:moonshot\.(?:cn|ai)|kimi\.com)$/, facts: { blankReasoning: ' ' } },
  { model: /(?:^|\/)kimi-/i, facts: { blankReasoning: ' ' } },
  { model: /minimax-m/i, facts: { thinkTags: true } },
];

/** @param hostname in lower case, as a URL gives it */
export function serverFacts(hostname: string, model: string): ServerFacts {
  const fitting = ROWS.filter(
    (row) => (row.host === undefined || row.host.test(hostname)) && (row.model === undefined || row.model.test(model)),
  );
  return Object.assign({ ...ANY_SERVER }, ...fitting.map(({ facts }) => facts)) as ServerFacts;
}
