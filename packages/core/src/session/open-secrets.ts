import { join } from 'node:path';
import type { KnownSecret } from '../secrets/known-secret.js';
import { secretsWithin } from '../secrets/gather-secrets.js';
import { placeholderKey } from '../secrets/placeholder-key.js';
import { secretPartsOf } from '../secrets/secret-value.js';
import type { SecretSettings } from '../secrets/secret-settings.js';
import { Secrets } from '../secrets/secrets.js';
import { projectFolders } from './project-folders.js';

interface SecretPlaces {
  readonly roots: readonly string[];
  readonly tenonHome: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly secrets?: SecretSettings;
  readonly mcp?: { readonly servers: readonly { readonly alias: string }[] };
  readonly webSearch?: object;
}

/** The keys that a model got while it ran; the very same list until there is another. */
type HeldKeys = () => readonly string[] | undefined;

/** What hides secrets for a session; undefined where the person does not want it. Environment files are read when they are first needed. */
export function openSecrets(options: SecretPlaces, heldKeys?: HeldKeys): Secrets | undefined {
  const { environment, roots, tenonHome, secrets: settings = {} } = options;
  if (settings.enabled === false) return undefined;
  const known: readonly KnownSecret[] = [
    ...(settings.known ?? []),
    ...(options.mcp?.servers ?? []).flatMap((server) =>
      secretsWithin(server, `the settings of the server ${server.alias}`),
    ),
    ...secretsWithin(options.webSearch, 'the settings of web search'),
  ];
  const { names, ignore } = settings;
  return new Secrets({
    environment,
    roots,
    known,
    ...(heldKeys !== undefined && { later: secretsOf(heldKeys) }),
    ...(names !== undefined && { names }),
    ...(ignore !== undefined && { ignore }),
    key: () => placeholderKey(join(projectFolders(tenonHome, roots[0] ?? tenonHome).base, 'placeholder.key')),
  });
}

/** Like the list that it is made of, the very same until there is another. */
function secretsOf(heldKeys: HeldKeys): () => readonly KnownSecret[] {
  let keys: readonly string[] | undefined;
  let secrets: readonly KnownSecret[] = [];
  return () => {
    const held = heldKeys();
    if (held !== keys)
      secrets = (held ?? []).flatMap((key) =>
        secretPartsOf(key).map((value) => ({
          name: 'model.apiKey',
          value,
          from: 'the command of model.apiKeyCommand',
        })),
      );
    keys = held;
    return secrets;
  };
}
