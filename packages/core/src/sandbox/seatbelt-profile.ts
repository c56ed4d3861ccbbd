import { dirname } from 'node:path';
import type { SandboxPlan } from './sandbox-types.js';

/** Devices that programs write to. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper', '/dev/random', '/dev/urandom'];

/**
 * A profile of macOS's sandbox-exec. The last rule that matches decides. Names that do not exist yet are covered by
 * their text, so that nothing has to stand for them on the disk.
 */
export function seatbeltProfile(plan: SandboxPlan): string {
  const hidden = plan.masked.map(({ path }) => path);
  const shown = [...plan.writable, ...plan.readable];
  const writable = [...plan.writable, plan.privateTemp];
  const kept = [...plan.protected, ...plan.placeholders];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read*)',
    '(allow ipc-posix-sem)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.logger"))',
    rule('allow', 'file-write*', [...writable.map(subpath), ...DEVICES.map(literal)]),
    rule('deny', 'file-read* file-write*', hidden.map(subpath)),
    // A folder in a hidden one is shown again, but never a hidden one in it.
    rule('allow', 'file-read*', shown.filter((path) => hidden.some((each) => isBelow(path, each))).map(subpath)),
    rule(
      'allow',
      'file-write*',
      plan.writable.filter((path) => hidden.some((each) => isBelow(path, each))).map(subpath),
    ),
    rule(
      'deny',
      'file-read* file-write*',
      hidden.filter((path) => shown.some((each) => isBelow(path, each))).map(subpath),
    ),
    rule('deny', 'file-write*', kept.map(subpath)),
    // Renaming what holds them would bring another in their place.
    rule(
      'deny',
      'file-write-unlink',
      [...new Set([...plan.pinned, ...kept.map((path) => dirname(path))])].map(literal),
    ),
    rule('deny', 'file-write-setugid', ['(subpath "/")']),
    ...networkRules(plan),
    '',
  ]
    .filter((line, index, lines) => line !== '' || index === lines.length - 1)
    .join('\n');
}

function networkRules({ network, localSockets }: SandboxPlan): string[] {
  const local = localSockets ? ['(allow network* (local unix-socket) (remote unix-socket))'] : [];
  return network === 'off'
    ? ['(deny network*)', ...local]
    : [
        '(allow network*)',
        ...(localSockets ? [] : ['(deny network* (remote unix-socket))', '(deny network-bind (local unix-socket))']),
        '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
        '(allow system-socket)',
      ];
}

function rule(verdict: 'allow' | 'deny', operations: string, filters: readonly string[]): string {
  return filters.length === 0 ? '' : `(${verdict} ${operations} ${filters.join(' ')})`;
}

const subpath = (path: string): string => `(subpath ${quoted(path)})`;
const literal = (path: string): string => `(literal ${quoted(path)})`;

/** A string of the profile's language; a path may hold any character but NUL. */
function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
