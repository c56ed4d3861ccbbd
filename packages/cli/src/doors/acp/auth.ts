import { RequestError, type AuthMethod, type ClientCapabilities } from '@agentclientprotocol/sdk';

/** A model is configured in the environment or the settings: there is nothing that this program signs in to itself. */
const MODEL_SETTINGS = 'model-settings';
/** The client appends the words to the command that it starts the agent with: `tenon acp config`. */
const TERMINAL = 'terminal';

const VARIABLES = [
  { name: 'OPENAI_API_KEY', secret: true },
  { name: 'OPENAI_BASE_URL', secret: false },
  { name: 'OPENAI_MODEL', secret: false },
  { name: 'ANTHROPIC_API_KEY', secret: true },
  { name: 'GEMINI_API_KEY', secret: true },
] as const;

/** A terminal only where the client has one to offer. Pure. */
export function authMethods(capabilities: ClientCapabilities | undefined): AuthMethod[] {
  const settings: AuthMethod = {
    id: MODEL_SETTINGS,
    name: 'Environment or settings',
    description:
      'Set ANTHROPIC_API_KEY, GEMINI_API_KEY, or OPENAI_API_KEY (with OPENAI_BASE_URL and OPENAI_MODEL for any compatible endpoint) in the environment of the agent, or model in ~/.tenon/settings.json.',
    // Clients that know methods of this kind ask for the variables themselves.
    _meta: { 'env-var': { vars: VARIABLES.map(({ name, secret }) => ({ name, secret, optional: true })) } },
  };
  if (capabilities?.auth?.terminal !== true) return [settings];
  const terminal: AuthMethod = {
    type: 'terminal',
    id: TERMINAL,
    name: 'Check in a terminal',
    description: 'Shows whether a model is configured, and how to get one.',
    args: ['config'],
  };
  return [settings, terminal];
}

/** @throws RequestError -32602 for a method that was not offered */
export function checkMethod(methodId: string, capabilities: ClientCapabilities | undefined): void {
  const known = authMethods(capabilities).map(({ id }) => id);
  if (known.includes(methodId)) return;
  throw RequestError.invalidParams(undefined, `There is no method ${JSON.stringify(methodId)}: ${known.join(', ')}.`);
}
