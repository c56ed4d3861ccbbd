/**
 * "Cached up to here", for providers that cache only what they are told to: Anthropic, and who took its form over. A request may
 * have four, and from each a provider looks back through 20 blocks at most for what it has.
 */
export const CACHE_POINT = { cache_control: { type: 'ephemeral' } };

/**
 * Where in the messages: at the end, for the request that comes next, and where the request before had ended, since its answers may be
 * longer than a provider looks back through.
 */
export function cachePositions(messages: readonly { readonly role: string }[]): readonly number[] {
  const isAnswer = (index: number): boolean => messages[index]?.role === 'assistant';
  return messages
    .map((_, index) => index)
    .filter((index) => !isAnswer(index) && (index === messages.length - 1 || isAnswer(index + 1)))
    .slice(-2);
}
