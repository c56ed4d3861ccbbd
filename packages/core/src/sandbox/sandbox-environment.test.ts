import { expect, it } from 'vitest';
import { sandboxEnvironment } from './sandbox-environment.js';

const PLAN = { writable: ['/w'], localSockets: false };

it('without allowed hosts nothing is said of a proxy, and the person’s own is left alone', () => {
  const env = { PATH: '/bin', HTTPS_PROXY: 'http://proxy.corp:3128', TMPDIR: '/nowhere', SSH_AUTH_SOCK: '/run/a' };
  expect(sandboxEnvironment(env, PLAN)).toEqual({ PATH: '/bin', HTTPS_PROXY: env.HTTPS_PROXY, TMPDIR: '/tmp' });
});

it('with allowed hosts the proxy inside is the only one, and package managers can write what they fetch', () => {
  const theirs = [
    'http_proxy',
    'HTTPS_PROXY',
    'All_Proxy',
    'no_proxy',
    'ftp_proxy',
    'npm_config_https_proxy',
    'npm_config_noproxy',
  ];
  const env = {
    ...Object.fromEntries(theirs.map((name) => [name, 'http://user:secret@proxy.corp'])),
    UV_CACHE_DIR: '/w/uv',
  };
  const inside = sandboxEnvironment(env, PLAN, 17_788);
  expect(JSON.stringify(inside)).not.toContain('corp');
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'])
    expect(inside[name]).toBe('http://127.0.0.1:17788');
  for (const name of ['no_proxy', 'NO_PROXY']) expect(inside[name]).toBe('localhost,127.0.0.1,::1');
  expect(inside).toMatchObject({ npm_config_cache: '/tmp/cache/npm', UV_CACHE_DIR: '/w/uv' });
});
