import type { Effect, FetchEffect } from '../effects/effect.js';
import {
  HTTP_PORT,
  HTTPS_PORT,
  isAllowedHost,
  parseAllowedHosts,
  type AllowedHost,
} from '../sandbox/network/allowed-hosts.js';
import { readAuthority } from '../sandbox/network/host-name.js';
import type { SandboxStatus } from '../sandbox/sandbox-types.js';

/**
 * The effects of a command that runs in a sandbox: those are marked that it contains. Where the whole network is reached,
 * it does not contain what a command does, since that can be telling anybody what it read. Where hosts are allowed one by
 * one, what goes to them is what the person agreed to.
 */
export function containedEffects(
  effects: readonly Effect[],
  { mechanism, network = 'off', hosts = [] }: Pick<SandboxStatus, 'mechanism' | 'network' | 'hosts'>,
): Effect[] {
  if (mechanism === 'none' || network === 'on') return [...effects];
  const allowed = parseAllowedHosts(hosts);
  return effects.map((effect) =>
    effect.kind === 'run' || effect.kind === 'unknown' || (effect.kind === 'fetch' && isAllowed(effect, allowed))
      ? { ...effect, isContained: true }
      : effect,
  );
}

/** As the proxy judges it: the host exactly, and the port. */
function isAllowed({ host, url }: FetchEffect, allowed: readonly AllowedHost[]): boolean {
  const usualPort = new Map([
    ['http:', HTTP_PORT],
    ['https:', HTTPS_PORT],
  ]).get(URL.canParse(url) ? new URL(url).protocol : '');
  if (usualPort === undefined) return false;
  const target = readAuthority(new URL(url).host, usualPort);
  return target !== undefined && new URL(url).hostname === host && isAllowedHost(allowed, target, usualPort);
}
