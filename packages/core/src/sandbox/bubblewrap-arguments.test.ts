import { describe, expect, it } from 'vitest';
import { bubblewrapArguments, type BubblewrapOptions } from './bubblewrap-arguments.js';
import type { SandboxPlan } from './sandbox-types.js';

const PLAN: SandboxPlan = {
  writable: ['/w', '/home/u/.tenon/tmp/p'],
  readable: [],
  protected: ['/w/.git/config'],
  pinned: ['/w/.git'],
  placeholders: ['/w/.vscode'],
  masked: [
    { path: '/home/u/.tenon', kind: 'folder' },
    { path: '/home/u/.netrc', kind: 'file' },
  ],
  privateTemp: '/home/u/.tenon/box/tmp',
  network: 'off',
  hosts: [],
  processes: 4096,
  localSockets: false,
};
const OPTIONS: BubblewrapOptions = {
  canDisableUserNamespaces: true,
  descriptors: { seccomp: 3 },
  system: { privateFolders: ['/tmp', '/run'], resolverFile: '/run/resolve/stub.conf', exists: () => false },
};
const of = (plan: Partial<SandboxPlan> = {}, options: Partial<BubblewrapOptions> = {}): string =>
  bubblewrapArguments({ ...PLAN, ...plan }, { cwd: '/w', env: { A: 'b' } }, { ...OPTIONS, ...options }).join(' ');

describe("bubblewrap's arguments", () => {
  it('separate everything, drop every capability and make the disk read-only', () => {
    expect(of()).toMatch(
      /^--unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL --ro-bind \/ \/ --proc \/proc --remount-ro \/proc --dev \/dev /,
    );
    expect(of()).toMatch(/ --seccomp 3 --setenv A b --chdir \/w$/);
    expect(of()).not.toContain('--share-net');
  });

  it('mount what holds others first', () => {
    const text = of();
    const order = [
      '--bind /home/u/.tenon/box/tmp /tmp',
      '--tmpfs /run',
      '--bind /w /w',
      '--bind /w/.git /w/.git',
      '--perms 0555 --size 1048576 --tmpfs /w/.vscode',
      '--ro-bind /dev/null /home/u/.netrc',
      '--perms 0111 --size 1048576 --tmpfs /home/u/.tenon',
      '--ro-bind /w/.git/config /w/.git/config',
      '--bind /home/u/.tenon/tmp/p /home/u/.tenon/tmp/p',
    ].map((part) => text.indexOf(part));
    expect(order).not.toContain(-1);
    expect(text.indexOf('--bind /w /w')).toBeLessThan(text.indexOf('--bind /w/.git /w/.git'));
    expect(text.indexOf('--bind /w/.git /w/.git')).toBeLessThan(text.indexOf('--ro-bind /w/.git/config'));
    expect(text.indexOf('--tmpfs /home/u/.tenon')).toBeLessThan(text.indexOf('--bind /home/u/.tenon/tmp/p'));
  });

  it('share the network only when it is on, and show then where names are resolved', () => {
    expect(of({ network: 'on' })).toContain(' --share-net ');
    expect(of({ network: 'on' })).toContain('--ro-bind /run/resolve/stub.conf');
    expect(of()).not.toContain('stub.conf');
  });

  it('make root somebody else', () => {
    const text = of({}, { identity: { uid: 1000, gid: 1000 }, descriptors: { users: 4, groups: 5 } });
    expect(text).toContain('--uid 1000 --gid 1000');
    expect(text).toContain('--ro-bind-data 4 /etc/passwd');
  });

  it('hold one mount for each path: what forbids wins', () => {
    const text = of({ writable: ['/w', '/w/.git'], masked: [], protected: ['/w/.git'], pinned: ['/w/.git'] });
    expect(text).toContain('--ro-bind /w/.git /w/.git');
    expect(text).not.toContain(' --bind /w/.git /w/.git');
  });

  it('leave out what an older version does not know', () => {
    expect(of({}, { canDisableUserNamespaces: false })).not.toContain('--disable-userns');
  });
});
