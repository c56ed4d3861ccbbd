import { describe, expect, it } from 'vitest';
import { seccompFilter } from './seccomp-filter.js';
import { ARCHITECTURES, type FilteredArchitecture, type SystemCall } from './syscall-numbers.js';

interface Call {
  readonly nr: number;
  readonly arch: number;
  readonly args: readonly bigint[];
}

const ALLOW = 'allow';

/** Runs a classic BPF program on a `struct seccomp_data`, as the kernel does. */
function run(program: Buffer, { nr, arch, args }: Call): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(nr, 0);
  data.writeUInt32LE(arch, 4);
  args.forEach((value, index) => data.writeBigUInt64LE(value, 16 + 8 * index));
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const [code, yes, no, k] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
      program.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x20) accumulator = data.readUInt32LE(k);
    else if (code === 0x54) accumulator = (accumulator & k) >>> 0;
    else if (code === 0x15) at += accumulator === k ? yes : no;
    else if (code === 0x45) at += (accumulator & k) >>> 0 === 0 ? no : yes;
    else if (code === 0x05) at += k;
    else if (code === 0x06) return k === 0x7fff0000 ? ALLOW : k >>> 16 === 5 ? `errno ${k & 0xffff}` : 'kill';
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('ran off the end');
}

describe.each<FilteredArchitecture>(['x64', 'arm64'])('the filter for %s', (architecture) => {
  const closed = seccompFilter(architecture, { localSockets: false }) ?? Buffer.alloc(0);
  const open = seccompFilter(architecture, { localSockets: true }) ?? Buffer.alloc(0);
  const { audit, numbers } = ARCHITECTURES[architecture];
  const ask = (call: SystemCall, args: readonly (number | bigint)[] = [], program = closed): string => {
    const nr = numbers[call];
    return nr === null ? 'errno 1' : run(program, { nr, arch: audit, args: args.map(BigInt) });
  };

  it.each<readonly [string, SystemCall, readonly (number | bigint)[], string]>([
    ['a Unix socket', 'socket', [1, 1, 0], 'errno 1'],
    ['TCP', 'socket', [2, 1, 0], ALLOW],
    ['TCP over IPv6', 'socket', [10, 1, 0], ALLOW],
    ['what lists addresses', 'socket', [16, 3, 0], ALLOW],
    ['vsock', 'socket', [40, 1, 0], 'errno 1'],
    ['raw packets', 'socket', [17, 3, 0], 'errno 1'],
    ['a Unix socket behind high bits', 'socket', [0x1_0000_0001n, 1, 0], 'errno 1'],
    ['a stream pair', 'socketpair', [1, 1 | 0o2004000, 0], ALLOW],
    ['a packet pair', 'socketpair', [1, 5, 0], ALLOW],
    ['a datagram pair', 'socketpair', [1, 2, 0], 'errno 1'],
    ['a raw pair, which is a datagram pair', 'socketpair', [1, 3, 0], 'errno 1'],
    ['a thread', 'clone', [0x3d0f00], ALLOW],
    ['a process', 'clone', [0x1200011], ALLOW],
    ['a user namespace', 'clone', [0x10000011], 'errno 1'],
    ['a mount namespace', 'clone', [0x00020011], 'errno 1'],
    ['unshare of files', 'unshare', [0x400], ALLOW],
    ['unshare of the network', 'unshare', [0x40000000], 'errno 1'],
    ['unshare of time', 'unshare', [0x80], 'errno 1'],
    ['a clone whose flags cannot be seen', 'clone3', [0, 0], 'errno 38'],
    ['an open whose mode cannot be seen', 'openat2', [0, 0, 0, 0], 'errno 38'],
    ['a file', 'openat', [0, 0, 0o102, 0o644], ALLOW],
    ['reading, with rubbish for a mode', 'openat', [0, 0, 0, 0o4755], ALLOW],
    ['a set-user-id file', 'openat', [0, 0, 0o102, 0o4755], 'errno 1'],
    ['a set-user-id file without a name', 'openat', [0, 0, 0o20200002, 0o4755], 'errno 1'],
    ['an executable', 'fchmod', [3, 0o755], ALLOW],
    ['a shared folder', 'fchmodat', [0, 0, 0o2775], ALLOW],
    ['set-user-id', 'fchmodat2', [0, 0, 0o4755], 'errno 1'],
    ['the size of the terminal', 'ioctl', [0, 0x5413], ALLOW],
    ['typing into the terminal', 'ioctl', [0, 0x5412], 'errno 1'],
    ['typing into the terminal, behind high bits', 'ioctl', [0, 0xffff_ffff_0000_5412n], 'errno 1'],
    ['ptrace', 'ptrace', [16], 'errno 1'],
    ['io_uring', 'io_uring_setup', [8, 0], 'errno 38'],
  ])('%s: %s → %s', (_what, call, args, expected) => {
    expect(ask(call, args)).toBe(expected);
  });

  it('opens Unix sockets when they are wanted, and nothing else', () => {
    expect([ask('socket', [1], open), ask('socketpair', [1, 2], open)]).toEqual([ALLOW, ALLOW]);
    expect([ask('socket', [40], open), ask('mount', [], open)]).toEqual(['errno 1', 'errno 1']);
  });

  it('lets through what is in no table', () => {
    const known = new Set(Object.values(numbers));
    for (let nr = 0; nr < 600; nr += 1) {
      if (!known.has(nr)) expect(run(closed, { nr, arch: audit, args: [0n, 0n] })).toBe(ALLOW);
    }
  });

  it('kills what comes from another ABI', () => {
    const other = ARCHITECTURES[architecture === 'x64' ? 'arm64' : 'x64'].audit;
    expect(run(closed, { nr: 0, arch: other, args: [] })).toBe('kill');
    expect(run(closed, { nr: 0, arch: 0x40000003, args: [] })).toBe('kill');
    if (architecture === 'x64') expect(run(closed, { nr: 0x40000000, arch: audit, args: [] })).toBe('kill');
  });
});

it('there is no filter for a machine whose numbers are not known', () => {
  expect(seccompFilter('riscv64', { localSockets: false })).toBeUndefined();
});
