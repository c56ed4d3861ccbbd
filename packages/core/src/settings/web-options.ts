import type { WebOptions } from '../web/web-options.js';
import type { SettingValues } from './merge-layers.js';

const MEGABYTE = 1024 * 1024;

/** What the settings say of reaching the web, as `AgentOptions.web` has it. */
export function webOptionsOf(values: SettingValues): Omit<WebOptions, 'environment' | 'summarize'> {
  const hosts = values['web.allowPrivateHosts']?.value;
  const asks = values['web.askAfterUntrusted']?.value;
  const upgrades = values['web.upgradeHttp']?.value;
  const megabytes = values['web.maxMegabytes']?.value;
  const timeoutMs = values['web.timeout']?.value;
  return {
    ...(hosts !== undefined && { allowPrivateHosts: hosts }),
    ...(asks !== undefined && { askAfterUntrusted: asks }),
    ...(upgrades !== undefined && { upgradeHttp: upgrades }),
    ...(megabytes !== undefined && { maxBytes: Math.max(1, Math.floor(megabytes * MEGABYTE)) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}
