/**
 * What a provider wants back with a block, marked with who wants it. A session may go on with
 * another model, and providers refuse a request over a signature that is not their own.
 */
export type SignatureOwner =
  'openai' | 'openai-call' | 'openai-details' | 'anthropic' | 'anthropic-redacted' | 'gemini' | 'gemini-text';

export function markSignature(owner: SignatureOwner, value: string): string {
  return `${owner}:${value}`;
}

/** The provider's own value, or undefined when the signature is someone else's. */
export function ownSignature(owner: SignatureOwner, signature: string | undefined): string | undefined {
  return signature?.startsWith(`${owner}:`) === true ? signature.slice(owner.length + 1) : undefined;
}
