import { canonical } from './disk.js';
import { isWithin } from '../util/paths-below.js';
import { CLOSED_VARIABLES } from './guarded-names.js';
import type { SandboxPlan } from './sandbox-types.js';

/** Package managers that fail where they cannot write what they fetched; their own folders in the home are read-only. */
const CACHES: Readonly<Record<string, string>> = {
  npm_config_cache: '/tmp/cache/npm',
  PIP_CACHE_DIR: '/tmp/cache/pip',
  UV_CACHE_DIR: '/tmp/cache/uv',
  YARN_CACHE_FOLDER: '/tmp/cache/yarn',
};

/** A proxy of the person's own cannot be reached inside. */
const PROXY_VARIABLES = /^(?:(?:npm_config_)?(?:https?_|all_|ftp_|rsync_|no_)?proxy|npm_config_noproxy)$/i;

const TEMP_VARIABLES = ['TMPDIR', 'TMP', 'TEMP'];

/** The variables of a command inside: nothing that leads to what is closed, and a temp folder that can be written. */
export function sandboxEnvironment(
  env: Readonly<Record<string, string>>,
  { writable, localSockets }: Pick<SandboxPlan, 'writable' | 'localSockets'>,
  proxyPort?: number,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name]) =>
      (localSockets || !CLOSED_VARIABLES.includes(name)) && (proxyPort === undefined || !PROXY_VARIABLES.test(name)),
  );
  const own = kept.map(([name, value]): [string, string] => {
    const isTemp = TEMP_VARIABLES.includes(name);
    const path = isTemp ? (canonical(value) ?? value) : value;
    return [name, isTemp && !writable.some((folder) => isWithin(path, folder)) ? '/tmp' : value];
  });
  if (proxyPort === undefined) return Object.fromEntries(own);
  return { ...CACHES, ...Object.fromEntries([...own, ...proxyVariables(proxyPort)]) };
}

function proxyVariables(port: number): [string, string][] {
  const names = ['http_proxy', 'https_proxy', 'all_proxy'];
  const proxies = names.flatMap((name): [string, string][] => [
    [name, `http://127.0.0.1:${port}`],
    [name.toUpperCase(), `http://127.0.0.1:${port}`],
  ]);
  // What a command serves itself, inside, it reaches without the proxy.
  const own = 'localhost,127.0.0.1,::1';
  return [...proxies, ['no_proxy', own], ['NO_PROXY', own], ['NODE_USE_ENV_PROXY', '1']];
}
