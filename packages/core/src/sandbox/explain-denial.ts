import { dirname, resolve } from 'node:path';
import { canonical } from './disk.js';
import { isWithin } from '../util/paths-below.js';
import type { DeniedCommand, SandboxDenial, SandboxPlan } from './sandbox-types.js';

/** The output's end tells why a command failed; more of it is not looked at. */
const LOOK_AT_CHARACTERS = 20_000;
const MAX_LINE = 2000;

const UNWRITABLE = /read-only file system|\bEROFS\b|device or resource busy|\bEBUSY\b|cross-device link|\bEXDEV\b/i;
const FORBIDDEN = /permission denied|\bEACCES\b|operation not permitted|\bEPERM\b|not permitted/i;
const NO_NETWORK =
  /could not resolve (?:host(?:name)?|proxy)|temporary failure in name resolution|name or service not known|network is unreachable|no address associated with hostname|no route to host|nodename nor servname|\bENETUNREACH\b|\bEAI_AGAIN\b|\bENOTFOUND\b|failed to (?:lookup|resolve) address|unable to resolve|dial tcp: lookup/i;
const LOCAL_SERVICE = /(?:connection refused|\bECONNREFUSED\b).*|(?:connect(?:ing|ion)? to|connect) .*refused/i;
const LOCAL_HOST = /127\.0\.0\.1|\blocalhost\b|::1/;
const SOCKET =
  /\.sock\b|unix socket|\bAF_UNIX\b|docker daemon|d-?bus|ssh-agent|authentication agent|gpg-agent|listen (?:EPERM|EACCES)/i;

const HOSTS: readonly RegExp[] = [
  /could not resolve (?:host(?:name)?|proxy):? ["']?([\w.-]+)/i,
  /(?:getaddrinfo|lookup|resolving|resolve) (?:E[A-Z_]+ )?["']?([\w-]+(?:\.[\w-]+)+)/i,
  /https?:\/\/([\w.-]+)/i,
  /(?:connect|connection) to ["']?([\w-]+(?:\.[\w-]+)+)/i,
];

/** Absolute or relative paths as programs name them in a message: quoted, or a field between colons. */
const QUOTED = /["'‘`]([^"'’`\n]{1,500})["'’`]/g;

/**
 * Recognises that a command failed because of the sandbox. A path counts only when the plan really forbids it: what
 * fails by ordinary rights fails outside too, and a question about it would be a wrong one.
 */
export function explainDenial(command: DeniedCommand, plan: SandboxPlan): SandboxDenial | undefined {
  if (command.exitCode === 0) return undefined;
  const found = explainOutput(command, plan);
  // What the proxy refused is known for certain; only what was met in the files is as certain.
  const [refused] = command.refusedHosts ?? [];
  if (refused === undefined || (found !== undefined && found.kind !== 'network')) return found;
  return { kind: 'network', host: refused.host, message: refused.message };
}

function explainOutput(command: DeniedCommand, plan: SandboxPlan): SandboxDenial | undefined {
  const lines = command.output
    .slice(-LOOK_AT_CHARACTERS)
    .split(/\r?\n/)
    .filter((line) => line.length <= MAX_LINE);
  for (const line of lines) {
    const denial = explainLine(line, command.cwd, plan);
    if (denial !== undefined) return denial;
  }
  return undefined;
}

function explainLine(line: string, cwd: string, plan: SandboxPlan): SandboxDenial | undefined {
  if (line.startsWith('bwrap: ')) return { kind: 'setup', message: `The sandbox could not be made: ${line.slice(7)}.` };
  if (
    !plan.localSockets &&
    SOCKET.test(line) &&
    (FORBIDDEN.test(line) || /cannot connect|could not open/i.test(line))
  ) {
    return {
      kind: 'local-socket',
      message:
        'The sandbox lets no program make Unix sockets (docker, agents, D-Bus): this needs to run outside of it.',
    };
  }
  if (UNWRITABLE.test(line) || FORBIDDEN.test(line)) {
    const found = pathsOf(line).map((path) => ({ path: resolve(cwd, path) }));
    const denied = found.map(({ path }) => judgePath(path, line, plan)).find((each) => each !== undefined);
    if (denied !== undefined) return denied;
    if (/read-only file system|\bEROFS\b/i.test(line)) {
      return {
        kind: 'write',
        message: 'The command tried to change something outside the workspace, which is read-only in the sandbox.',
      };
    }
  }
  return plan.network === 'off' ? explainNetwork(line, plan.hosts.length > 0) : undefined;
}

function judgePath(path: string, line: string, plan: SandboxPlan): SandboxDenial | undefined {
  const real = realPlace(path);
  const masked = plan.masked.find((each) => isWithin(real, each.path));
  const isShown = [...plan.writable, ...plan.readable].some(
    (each) => masked !== undefined && each !== masked.path && isWithin(each, masked.path) && isWithin(real, each),
  );
  if (masked !== undefined && !isShown) {
    return {
      kind: 'read',
      path: real,
      message: `${real} is kept from commands in the sandbox: it holds secrets or the agent's own data.`,
    };
  }
  const kept = [...plan.protected, ...plan.placeholders].find((each) => isWithin(real, each));
  if (kept !== undefined || plan.pinned.includes(real)) {
    return {
      kind: 'write',
      path: real,
      message: `${real} is a control file, or holds one: it cannot be changed in the sandbox.`,
    };
  }
  const isInside = [...plan.writable, '/tmp', '/var/tmp', '/dev', '/proc'].some((each) => isWithin(real, each));
  if (isInside || FORBIDDEN.test(line)) return undefined;
  return { kind: 'write', path: real, message: `${real} lies outside the workspace and is read-only in the sandbox.` };
}

/** Where a path leads as far as it exists, since plans speak of canonical paths. */
function realPlace(path: string): string {
  const real = canonical(path);
  if (real !== undefined) return real;
  const parent = dirname(path);
  if (parent === path) return path;
  const place = realPlace(parent);
  return `${place === '/' ? '' : place}${path.slice(parent === '/' ? 0 : parent.length)}`;
}

function pathsOf(line: string): string[] {
  const quoted = Array.from(line.matchAll(QUOTED), ([, path = '']) => path);
  const cut =
    line.split(/(?:: |^)(?=[^:]*(?:read-only|permission denied|operation not|device or resource|E[A-Z]{3,}))/i)[0] ??
    '';
  const field = /(?:^|: |\s)((?:\/|\.{1,2}\/|~\/)?[^\s:'"]+)$/.exec(cut)?.[1];
  const bare = Array.from(line.matchAll(/(?:^|[\s:=(])(\/[^\s:'"),;]+)/g), ([, path = '']) => path);
  return [...quoted, ...(field === undefined ? [] : [field]), ...bare].filter((path) => !path.includes('\0'));
}

function explainNetwork(line: string, hasHosts: boolean): SandboxDenial | undefined {
  if (NO_NETWORK.test(line)) {
    const host = HOSTS.map((pattern) => pattern.exec(line)?.[1]).find((each) => each !== undefined);
    return {
      kind: 'network',
      ...(host === undefined ? {} : { host }),
      message: `There is no network in the sandbox${hasHosts ? ' but through its proxy (HTTPS_PROXY)' : ''}${host === undefined ? '' : `: ${host} could not be reached`}.`,
    };
  }
  if (!LOCAL_SERVICE.test(line) || !LOCAL_HOST.test(line)) return undefined;
  const host = LOCAL_HOST.exec(line)?.[0] ?? 'localhost';
  return { kind: 'network', host, message: `Services of this machine (${host}) cannot be reached from the sandbox.` };
}
