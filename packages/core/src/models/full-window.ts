/** Recognizes errors that say a request is longer than the model's window. */

/** Codes and types of errors; they take precedence over the message. */
const CODES =
  /\b(?:context_length_exceeded|context_window_exceeded|context_exceeded|exceed_context_size_error|model_max_prompt_tokens_exceeded|string_above_max_length|request_too_large|tokens_limit_reached|ContextWindowExceededError|1261)\b/;

/** Matches limits that pass with time: the same request may be sent again later. */
export const RATE_LIMIT =
  /rate[ _-]?limit|too[ _]many[ _]requests|resource_exhausted|quota|per[ _-](?:min|hour|day)|\bTPM\b|throttl|please wait/i;

const N = String.raw`\D{0,3}(\d[\d,]*)`;

/** One row for each wording; a group holds the window's size in tokens, if it is stated. */
const WORDS: readonly RegExp[] = [
  // OpenAI, DeepSeek, OpenRouter, vLLM, Mistral: "maximum context length is N tokens", "… of N"; SGLang: "context length (N tokens)".
  new RegExp(`maximum context (?:length|size|window)(?: (?:is|of))?${N}`, 'i'),
  new RegExp(`context (?:length|size|window)(?: (?:is|of))?(?: only)?${N}`, 'i'),
  /(?:too large for model with|max length of) (\d[\d,]*)/i,
  /(?:exceeds?|exceeded|longer than|larger than|greater than|overflows?) (?:the |this |its )?(?:model(?:'s)? |available |maximum |max |loaded )*(?:context|model length)/i,
  // Anthropic: "prompt is too long: N tokens > N maximum", "input length and `max_tokens` exceed context limit: N + N > N".
  /(?:tokens?|\d) > (\d[\d,]*)/i,
  /(?:prompt|input|request|conversation|context) (?:is |was )?too (?:long|large)/i,
  // Gemini, Vertex, Model Studio's newer words, Poolside.
  /maximum (?:number of |allowed )*(?:input )?(?:tokens|length)(?: allowed)?(?: of)? ?\(?(\d[\d,]*)/i,
  /supports? (?:only )?up to (\d[\d,]*)/i,
  /input token count|input tokens? exceed|context (?:window|length|size) exceed/i,
  // DashScope: "Range of input length should be [1, N]".
  /range of input length should be \[\d+, ?(\d[\d,]*)\]/i,
  // Moonshot, Zhipu and vLLM's maximum model length, xAI, Copilot.
  /(?:exceeded model token limit|max(?:imum)? tokens allowed|maximum model length(?: of)?|maximum prompt length is|exceeds the limit of):? ?(\d[\d,]*)?/i,
  /prompt (?:exceeds max length|超长)/i,
  // Groq and Cerebras, LM Studio, TGI.
  /reduce the length of the (?:messages|input|prompt)/i,
  /n_ctx: ?(\d+)|context the overflows|context size has been exceeded/i,
  /inputs`? tokens \+ `?max_new_tokens/i,
  /too many (?:input )?tokens/i,
];

const LEAST_WINDOW = 1000;

/**
 * Returns the model's window, as far as it is stated; undefined if the error is about something else. Rate limits often mention tokens too,
 * but they are something else.
 *
 * @param code codes and types of the error @param field llama.cpp's `n_ctx`
 */
export function fullWindow(code: string, words: string, field?: unknown): { readonly tokens?: number } | undefined {
  if (RATE_LIMIT.test(`${code} ${words}`)) return undefined;
  const matches = WORDS.map((pattern) => pattern.exec(words)).filter((match) => match !== null);
  if (!CODES.test(code) && matches.length === 0) return undefined;
  const numbers = matches
    .flatMap((match) => match.slice(1))
    .map((text: string | undefined) => Number(text?.replaceAll(',', '')));
  const tokens = [field, ...numbers].find(
    (count): count is number => typeof count === 'number' && Number.isSafeInteger(count) && count >= LEAST_WINDOW,
  );
  return tokens === undefined ? {} : { tokens };
}
