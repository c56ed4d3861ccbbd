import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foreignEnvironment } from './foreign-environment.js';

const SECRETS = [
  'OPENAI_API_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_PROFILE',
  'GITHUB_TOKEN',
  'NPM_TOKEN',
  'DATABASE_URL',
  'DB_PASSWORD',
  'PGPASSWORD',
  'CLIENT_SECRET',
  'SSH_AUTH_SOCK',
  'XDG_SESSION_TOKEN',
  'LC_API_KEY',
  'LC_KEY',
  'LD_PRELOAD',
  'NODE_OPTIONS',
  'npm_config__authToken',
];

describe('foreignEnvironment', () => {
  it('passes what a program needs to run', () => {
    const needed = {
      PATH: '/usr/bin',
      HOME: '/home/me',
      LANG: 'C.UTF-8',
      LC_ALL: 'C',
      XDG_CONFIG_HOME: '/home/me/.config',
      https_proxy: 'http://proxy:3128',
      NO_PROXY: 'localhost',
      NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
      TENON: '1',
      Path: 'C:\\Windows',
      LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    };
    expect(foreignEnvironment(needed)).toEqual(needed);
  });

  it('passes nothing that looks like a credential, nor what nobody listed', () => {
    expect(foreignEnvironment(Object.fromEntries(SECRETS.map((name) => [name, 'secret'])))).toEqual({});
  });

  it('gives what the definition adds, credentials too, over what would pass', () => {
    const child = { PATH: '/usr/bin', HOME: '/home/me', GITHUB_TOKEN: 'of another' };
    expect(foreignEnvironment(child, { GITHUB_TOKEN: 'its own', HOME: '/srv' })).toEqual({
      PATH: '/usr/bin',
      HOME: '/srv',
      GITHUB_TOKEN: 'its own',
    });
  });

  it('replaces another spelling where the system tells no cases apart', () => {
    expect(foreignEnvironment({ Path: 'a' }, { PATH: 'b' }, 'win32')).toEqual({ PATH: 'b' });
    expect(foreignEnvironment({ http_proxy: 'a' }, { HTTP_PROXY: 'b' }, 'linux')).toEqual({
      http_proxy: 'a',
      HTTP_PROXY: 'b',
    });
  });

  it('takes odd names for names', () => {
    const odd: Record<string, string> = Object.fromEntries([['__proto__', 'x']]);
    expect(Object.entries(foreignEnvironment(odd))).toEqual([]);
    expect(Object.entries(foreignEnvironment({}, odd))).toEqual([['__proto__', 'x']]);
  });

  it('passes nothing outside of the list, whatever the names are, and all that was added', () => {
    const listed = fc.constantFrom('PATH', 'HOME', 'LC_TIME', 'XDG_DATA_HOME', 'TZ', ...SECRETS);
    const name = fc.oneof(listed, fc.string({ minLength: 1 }), fc.stringMatching(/^(?:LC|XDG|AWS)_[A-Z_]{1,12}$/));
    const environment = fc.dictionary(name, fc.string());
    fc.assert(
      fc.property(environment, environment, (child, added) => {
        const given = foreignEnvironment(child, added, 'linux');
        for (const [each, value] of Object.entries(given)) {
          if (Object.hasOwn(added, each)) expect(value).toBe(added[each]);
          else {
            expect(value).toBe(child[each]);
            expect(each).toMatch(/^(?:[A-Z]+|(?:LC|XDG)_\w+|[A-Z]+_(?:HOME|PROXY|DIR|ROOT|PROMPT|COLOR))$/i);
            expect(each).not.toMatch(/TOKEN|SECRET|PASSW|_KEY$|^AWS_/);
          }
        }
        for (const each of Object.keys(added)) expect(Object.hasOwn(given, each)).toBe(true);
      }),
    );
  });
});
