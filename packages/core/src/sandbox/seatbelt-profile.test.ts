import { describe, expect, it } from 'vitest';
import type { SandboxPlan } from './sandbox-types.js';
import { seatbeltProfile } from './seatbelt-profile.js';

const PLAN: SandboxPlan = {
  writable: ['/w', '/Users/u/.tenon/tmp/p'],
  readable: [],
  protected: ['/w/.git/hooks'],
  pinned: ['/w/.git'],
  placeholders: ['/w/.vscode'],
  masked: [{ path: '/Users/u/.tenon', kind: 'folder' }],
  privateTemp: '/t',
  network: 'off',
  hosts: [],
  processes: 4096,
  localSockets: false,
};

describe("a profile of macOS's sandbox", () => {
  const lines = seatbeltProfile(PLAN).split('\n');
  const at = (text: string): number => lines.findIndex((line) => line.includes(text));

  it('denies what it does not name, and the network', () => {
    expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
    expect(lines).toContain('(deny network*)');
  });

  it('decides by the last rule: what is hidden, what is shown of it, what is kept', () => {
    const order = [
      at('(allow file-read*)'),
      at('(allow file-write* (subpath "/w")'),
      at('(deny file-read* file-write* (subpath "/Users/u/.tenon"))'),
      at('(allow file-read* (subpath "/Users/u/.tenon/tmp/p"))'),
      at('(deny file-write* (subpath "/w/.git/hooks") (subpath "/w/.vscode"))'),
    ];
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(lines[at('file-write-unlink')]).toContain('(literal "/w/.git")');
  });

  it('takes no path for anything but a path', () => {
    const profile = seatbeltProfile({ ...PLAN, writable: ['/a"b\\c) (allow default'] });
    expect(profile).toContain(String.raw`(subpath "/a\"b\\c) (allow default")`);
  });

  it('keeps Unix sockets closed where the network is open', () => {
    expect(seatbeltProfile({ ...PLAN, network: 'on' })).toContain('(deny network* (remote unix-socket))');
  });
});
