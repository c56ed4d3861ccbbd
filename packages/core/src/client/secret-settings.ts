import type { ToolSystemOptions } from '../agent-types.js';
import { secretsWithin } from '../secrets/gather-secrets.js';
import type { LoadedSettings } from '../settings/load-settings.js';

/** What settings say of secrets, and those that they hold themselves. Pure. */
export function secretOptions({ values }: Pick<LoadedSettings, 'values'>): NonNullable<ToolSystemOptions['secrets']> {
  const enabled = values['secrets.enabled']?.value;
  const ignore = values['secrets.ignore']?.value;
  const keyName = values['model.apiKeyEnv']?.value;
  const names = [...(values['secrets.names']?.value ?? []), ...(keyName === undefined ? [] : [keyName])];
  const known = [
    ...secretsWithin(values['model.headers']?.value, 'the setting model.headers'),
    ...secretsWithin(values['telemetry.headers']?.value, 'the setting telemetry.headers'),
  ];
  return {
    ...(enabled !== undefined && { enabled }),
    ...(names.length > 0 && { names }),
    ...(ignore !== undefined && { ignore }),
    ...(known.length > 0 && { known }),
  };
}
