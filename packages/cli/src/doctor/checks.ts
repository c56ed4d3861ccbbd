import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { errorMessage, findInstalledParts, findLanguageParts, type LoadedSettings, type ToolSystem } from '@tenon/core';
import type { Surroundings } from '../surroundings.js';
import { foreignLine, unreadLines } from '../ui/foreign-view.js';
import type { Check, Finding } from './check.js';
import { terminalTraits } from './terminal-traits.js';

/** What the program needs at least, as `engines` of its package says. */
const LEAST_NODE = [20, 19] as const;
const LEAST_DISK_BYTES = 200 * 1024 * 1024;

type Config = ToolSystem['config'];

export function nodeCheck(version: string, platform: string): Check {
  const run: Check['run'] = async () => {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
    const text = `${version} on ${platform} ${process.arch}`;
    if (isEnough) return [{ name: 'node', state: 'good', text }];
    const advice = `Tenon needs ${LEAST_NODE.join('.')} or newer: https://nodejs.org`;
    return [{ name: 'node', state: 'problem', text, advice }];
  };
  return { name: 'node', run };
}

/** Tenon's own folder can be written to, belongs to the person alone, and its disk has room. */
export function homeCheck({ tenonHome }: Pick<Surroundings, 'tenonHome'>): Check {
  return {
    name: 'home',
    run: async () => {
      const probe = path.join(tenonHome, `.doctor-${randomUUID()}`);
      try {
        await mkdir(tenonHome, { recursive: true, mode: 0o700 });
        await writeFile(probe, 'x', { flag: 'wx', mode: 0o600 });
      } catch (thrown) {
        const advice = 'Mend its permissions, or name another folder in TENON_HOME.';
        return [{ name: 'home', state: 'problem', text: `${tenonHome}: ${errorMessage(thrown)}`, advice }];
      } finally {
        await rm(probe, { force: true });
      }
      const [info, disk] = await Promise.all([stat(tenonHome), statfs(tenonHome)]);
      const free = disk.bavail * disk.bsize;
      const isOpen = process.platform !== 'win32' && (info.mode & 0o022) !== 0;
      return [
        isOpen
          ? {
              name: 'home',
              state: 'problem',
              text: `${tenonHome} can be changed by others`,
              advice: `chmod go-w ${tenonHome}`,
            }
          : { name: 'home', state: 'good', text: tenonHome },
        ...(free < LEAST_DISK_BYTES
          ? [
              {
                name: 'disk',
                state: 'problem' as const,
                text: `${Math.floor(free / 1024 / 1024)} MiB left in ${tenonHome}`,
              },
            ]
          : []),
      ];
    },
  };
}

export function settingsCheck({
  files,
  foreign,
  problems,
  trust,
}: Pick<LoadedSettings, 'files' | 'foreign' | 'problems' | 'trust'>): Check {
  return {
    name: 'settings',
    run: async () => {
      const found = files.filter((file) => file.found).map(({ file }) => file);
      const state =
        trust.decision === 'trusted' ? 'trusted' : trust.decision === 'refused' ? 'not trusted' : 'not decided';
      return [
        problems.length === 0
          ? { name: 'settings', state: 'good', text: found.length === 0 ? 'none written' : found.join(', ') }
          : { name: 'settings', state: 'fact', text: found.join(', ') },
        ...problems.map(({ severity, message }): Finding => ({
          name: 'settings',
          state: severity === 'fatal' ? 'problem' : 'missing',
          text: message,
        })),
        ...[foreignLine(foreign) ?? []].flat().map((text): Finding => ({ name: 'settings', state: 'fact', text })),
        ...unreadLines(foreign).map((text): Finding => ({ name: 'settings', state: 'missing', text })),
        { name: 'folder', state: 'fact', text: `${trust.root}, ${state}` },
      ];
    },
  };
}

/** Programs and packages that calls use, with the versions of the programs. */
export function partsCheck(config: Config): Check {
  return {
    name: 'programs',
    run: async (signal) => {
      const parts = await findInstalledParts(config);
      return Promise.all(
        parts.map(async ({ name, purpose, places, without }): Promise<Finding> => {
          const [place, ...others] = places;
          if (place === undefined)
            return { name, state: 'missing', text: `not there, for ${purpose}`, advice: without };
          const isProgram = name === 'git' || name === 'ripgrep';
          const version = isProgram ? await versionOf(place, config, signal) : undefined;
          const more = others.length === 0 ? '' : `; then ${others.join(', ')}`;
          return {
            name,
            state: 'good',
            text: isProgram ? `${version ?? ''} ${place}${more}`.trim() : `for ${purpose}`,
          };
        }),
      );
    },
  };
}

async function versionOf(program: string, config: Config, signal: AbortSignal): Promise<string | undefined> {
  try {
    const env = { ...config.getChildEnvironment() };
    // Away from the workspace: nothing of it has a say in what runs.
    const options = { env, cwd: path.dirname(program), signal, timeout: 5_000, maxBuffer: 64 * 1024 };
    const { stdout } = await promisify(execFile)(program, ['--version'], options);
    return /\d+(?:\.\d+)+/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

export function languagesCheck(config: Config, isTrusted: boolean): Check {
  return {
    name: 'languages',
    run: async () => {
      const languages = await findLanguageParts(config, isTrusted);
      const there = languages.filter(({ servers }) => servers.length > 0);
      const missing = languages.filter(({ servers }) => servers.length === 0);
      const unused = isTrusted ? '' : '; none is started, for the folder is not trusted';
      const list = there.map(({ language, servers }) => `${language} (${servers[0]?.name ?? ''})`).join(', ');
      const rest = missing.map(({ language }) => language).join(', ');
      const [first] = missing;
      return [
        {
          name: 'languages',
          state: 'fact',
          text: `${list === '' ? 'no language server is installed' : list}${unused}`,
        },
        ...(first === undefined
          ? []
          : [
              {
                name: 'languages',
                state: 'fact' as const,
                text: `not installed: ${rest}`,
                ...(first.install !== undefined && { advice: `for ${first.language}: ${first.install}` }),
              },
            ]),
      ];
    },
  };
}

/** `isWanted` false: a sandbox was only tried for this. */
export function sandboxCheck(config: Config, isWanted: boolean): Check {
  return {
    name: 'sandbox',
    run: async () => {
      const { mechanism, problem, text, probes, note } = await config.getSandboxStatus();
      const open = probes.filter(({ holds }) => !holds).map(({ promise }) => promise);
      if (mechanism === 'none')
        return [{ name: 'sandbox', state: 'missing', text: problem ?? text, advice: sandboxAdvice(process.platform) }];
      const use = isWanted ? '' : '; not used: the setting sandbox is off';
      return [
        { name: 'sandbox', state: 'good', text: `${mechanism} holds${use}` },
        ...(note === undefined ? [] : [{ name: 'sandbox', state: 'missing', text: note } as const]),
        ...open.map((promise): Finding => ({ name: 'sandbox', state: 'missing', text: `not held: ${promise}` })),
      ];
    },
  };
}

function sandboxAdvice(platform: NodeJS.Platform): string {
  if (platform === 'linux')
    return 'Install bubblewrap with the package manager of your system; user namespaces must be allowed.';
  return platform === 'darwin' ? 'macOS has one of its own; it could not be used.' : 'There is none for this system.';
}

export function terminalCheck({ env, out }: Pick<Surroundings, 'env' | 'out'>): Check {
  return {
    name: 'terminal',
    run: async () => {
      if (!out.isTerminal) return [{ name: 'terminal', state: 'fact', text: 'none: the output goes elsewhere' }];
      const { unicode, images, multiplexer, isRemote } = terminalTraits(env, process.platform);
      const { colourDepth } = await import('../doors/interactive/themes/choose-theme.js');
      const facts = [
        env['TERM_PROGRAM'] ?? env['TERM'] ?? 'unknown',
        `colours: ${colourDepth(env)}`,
        unicode ? 'Unicode' : 'ASCII only',
        images === undefined ? 'no images' : `images as ${images} has them`,
        ...(multiplexer === undefined ? [] : [multiplexer]),
        ...(isRemote ? ['over SSH'] : []),
      ];
      const advice = 'A locale with UTF-8 brings all characters: LANG=en_US.UTF-8.';
      return [{ name: 'terminal', state: 'fact', text: facts.join(', '), ...(!unicode && { advice }) }];
    },
  };
}

const PROXY_VARIABLES = [
  'https_proxy',
  'HTTPS_PROXY',
  'http_proxy',
  'HTTP_PROXY',
  'all_proxy',
  'ALL_PROXY',
  'no_proxy',
  'NO_PROXY',
];

/** Hosts and ports only: an address may hold a password. */
export function proxyCheck({ env }: Pick<Surroundings, 'env'>): Check {
  return {
    name: 'proxy',
    run: async () =>
      PROXY_VARIABLES.flatMap((name): Finding[] => {
        const value = env[name] ?? '';
        if (value === '') return [];
        if (/^no_proxy$/i.test(name)) return [{ name: 'proxy', state: 'fact', text: `${name}: not for ${value}` }];
        const address = URL.canParse(value) ? value : `http://${value}`;
        if (!URL.canParse(address))
          return [
            { name: 'proxy', state: 'problem', text: `${name} holds no address`, advice: `${name}=http://host:port` },
          ];
        return [{ name: 'proxy', state: 'fact', text: `${name}: ${new URL(address).host}` }];
      }),
  };
}
