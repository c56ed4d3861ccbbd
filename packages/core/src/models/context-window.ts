/** What is assumed of a model that nothing is known of. */
const UNKNOWN = 128_000;

/**
 * Tokens that go into a request, by model family; the first row that matches counts. Where versions of one name differ, the
 * smaller stands here: too small costs a compaction, too large a refused request.
 */
const WINDOWS: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/claude-(instant|2\b|2\.0)/, 100_000],
  [/claude/, 200_000],
  [/gpt-oss/, 131_072],
  [/gpt-5.*chat/, 128_000],
  [/gpt-5|codex/, 272_000],
  [/gpt-4\.1/, 1_047_576],
  [/gpt-4(o|-turbo|\.5)|chatgpt-4o/, 128_000],
  [/gpt-4/, 8_192],
  [/gpt-3\.5/, 16_385],
  [/\bo1-(mini|preview)/, 128_000],
  [/\bo[134]\b/, 200_000],
  [/gemini-1\.5-pro/, 2_097_152],
  [/gemini-(1\.0|pro$)/, 32_768],
  [/gemini/, 1_048_576],
  [/gemma-?[12]\b/, 8_192],
  [/gemma/, 131_072],
  [/qwen3?-(coder|max)|qwen3-(next|.*2507)/, 262_144],
  [/qwen-(turbo|long)/, 1_000_000],
  [/qwen-max/, 32_768],
  [/qwen-?[12](?![.\d])/, 32_768],
  [/qwen|qwq|qvq/, 131_072],
  [/deepseek-(coder|v2|llm)/, 65_536],
  [/deepseek/, 131_072],
  [/llama-?4/, 1_048_576],
  [/llama-?3[.-]?[123]/, 131_072],
  [/llama-?3/, 8_192],
  [/llama-?2|codellama/, 4_096],
  [/codestral|devstral-?2/, 262_144],
  [/mi[sx]tral-?8x22b/, 65_536],
  [/mistral-?7b|mixtral/, 32_768],
  [/mistral|ministral|magistral|devstral|pixtral/, 131_072],
  [/grok-4.*fast|grok-4\.1/, 2_000_000],
  [/grok-(4|code)/, 256_000],
  [/grok/, 131_072],
  [/kimi-k2/, 262_144],
  [/glm-4\.[6-9]|glm-[5-9]/, 200_000],
  [/glm/, 131_072],
  [/minimax-m/, 204_800],
  [/command-a/, 256_000],
  [/phi-?4/, 16_384],
  [/nova-(pro|lite)/, 300_000],
];

/** How many tokens the model's window holds, by its name as an endpoint writes it (`openai/gpt-4.1`, `models/gemini-2.5-pro`). */
export function contextWindowOf(model: string): number {
  const name = model.toLowerCase();
  // Some names say it themselves: `moonshot-v1-32k`, `qwen2.5-7b-instruct-1m`.
  const [, thousands, millions] = /(?:^|[-_:[/])(?:(\d{1,4})k|(10|\d)m)(?=$|[-_:\]/])/.exec(name) ?? [];
  if (thousands !== undefined) return Number(thousands) * 1000;
  if (millions !== undefined) return Number(millions) * 1_000_000;
  return WINDOWS.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN;
}
