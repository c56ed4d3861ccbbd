import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { childEnvironment as withRoots } from './child-environment.js';

const childEnvironment = (
  environment: Record<string, string | undefined>,
  roots: readonly string[] = [],
  links: Readonly<Record<string, string>> = {},
) => withRoots(environment, { roots, realPath: (path) => links[path] ?? path });

describe('childEnvironment', () => {
  it("keeps the user's own variables", () => {
    const own = {
      HOME: '/home/me',
      CI: 'true',
      NODE_OPTIONS: '--enable-source-maps',
      JAVA_HOME: '/jdk',
      npm_config_registry: 'x',
      GITHUB_TOKEN: 't',
    };
    expect(childEnvironment(own)).toMatchObject(own);
  });

  it('drops the keys of models and what is its own', () => {
    const names = [
      'OPENAI_API_KEY',
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'GEMINI_API_KEY',
      'GOOGLE_API_KEY',
      'DASHSCOPE_API_KEY',
      'openai_api_key',
      'TENON_HOME',
      'TENON_CALL_ID',
    ];
    const environment = childEnvironment(Object.fromEntries(names.map((name) => [name, 'secret'])));
    for (const name of names) expect(environment).not.toHaveProperty(name);
    expect(Object.values(environment)).not.toContain('secret');
  });

  it('drops what npm says of the script that started Tenon, and what forces colour', () => {
    const dropped = {
      npm_lifecycle_event: 'start',
      npm_package_name: 'x',
      INIT_CWD: '/x',
      npm_config_local_prefix: '/x',
      FORCE_COLOR: '1',
      CLICOLOR_FORCE: '1',
    };
    for (const name of Object.keys(dropped)) expect(childEnvironment(dropped)).not.toHaveProperty(name);
  });

  it('turns pagers, prompts and colours off, over what the user has', () => {
    expect(childEnvironment({ PAGER: 'less', TERM: 'xterm', GIT_EDITOR: 'vim', EDITOR: 'vim' })).toMatchObject({
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
      GIT_EDITOR: 'false',
      EDITOR: 'false',
      TERM: 'dumb',
      NO_COLOR: '1',
      DEBIAN_FRONTEND: 'noninteractive',
      TENON: '1',
    });
  });

  it('takes no program through the working directory', () => {
    expect(childEnvironment({ PATH: '/usr/bin::.:bin:./x:../y:/opt/a b' })['PATH']).toBe('/usr/bin:/opt/a b');
  });

  it('looks for programs in the workspace and the temp folder last, where npm scripts still find them', () => {
    const roots = ['/work/app', '/home/me/.tenon/projects/app/tmp'];
    const path =
      '/work/app/node_modules/.bin:/usr/bin:/work/App/../app/bin:/work/appendix/bin:/home/me/.tenon/projects/app/tmp:/bin';
    expect(childEnvironment({ PATH: path }, roots)['PATH']).toBe(
      '/usr/bin:/work/appendix/bin:/bin:/work/app/node_modules/.bin:/work/App/../app/bin:/home/me/.tenon/projects/app/tmp',
    );
    expect(childEnvironment({ PATH: '/work/app:~/bin:/bin' }, roots)['PATH']).toBe('~/bin:/bin:/work/app');
    expect(childEnvironment({ PATH: '/b:/a' }, ['/'])['PATH']).toBe('/b:/a');
  });

  it('sees where an entry leads: a link to a folder of the workspace is that folder', () => {
    const links = { '/link/bin': '/work/app/node_modules/.bin' };
    expect(childEnvironment({ PATH: '/link/bin:/bin' }, ['/work/app'], links)['PATH']).toBe('/bin:/link/bin');
  });

  it('lets nothing run in bash before the command, nor change how bash reads it', () => {
    const dropped = {
      BASH_ENV: '/w/x',
      ENV: '/w/x',
      'BASH_FUNC_id%%': '() { touch x; }',
      PROMPT_COMMAND: 'x',
      PS4: '$(x)',
      SHELLOPTS: 'xtrace',
      BASHOPTS: 'dotglob',
      CDPATH: '/elsewhere',
      GLOBIGNORE: '*',
    };
    const environment = childEnvironment({ ...dropped, LD_LIBRARY_PATH: '/opt/lib', ENVIRONMENT: 'test' });
    for (const name of Object.keys(dropped)) expect(environment).not.toHaveProperty([name]);
    expect(environment).toMatchObject({ LD_LIBRARY_PATH: '/opt/lib', ENVIRONMENT: 'test' });
    expect(
      execFileSync('/bin/bash', ['-c', 'type -t id'], {
        env: environment,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ).toBe('file\n');
  });

  it('passes odd names on as names, and leaves out what no system takes', () => {
    const odd: Record<string, string> = Object.fromEntries([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['', 'c'],
      ['A=B', 'd'],
      ['NUL', 'x\0y'],
    ]);
    const environment = childEnvironment({ ...odd, GONE: undefined });
    expect(Object.entries(environment)).toContainEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(environment)).toBe(Object.prototype);
    for (const name of ['', 'A=B', 'NUL', 'GONE']) expect(Object.keys(environment)).not.toContain(name);
    const seen = execFileSync('/usr/bin/env', [], { env: environment, encoding: 'utf8' });
    expect(seen).toContain('__proto__=a\n');
    expect(seen).toContain('constructor=b\n');
  });
});
