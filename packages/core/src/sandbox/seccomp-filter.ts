import { ARCHITECTURES, type Architecture, type SystemCall } from './syscall-numbers.js';

/**
 * What a filter closes beside the fixed list.
 * `localSockets` false: Unix sockets cannot be made, except connected pairs, through which programs talk to their children.
 */
export interface FilterOptions {
  readonly localSockets: boolean;
}

/** When a call is refused: always, or by one argument. Arguments are compared by their lower 32 bits, as the kernel reads these. */
interface Refusal {
  readonly calls: readonly SystemCall[];
  readonly errno: number;
  readonly when?: readonly Test[];
}

/** All tests of a refusal must hold. Masked by `mask`, the argument is (or is not) one of `values`. */
interface Test {
  readonly argument: number;
  readonly mask?: number;
  readonly is: 'among' | 'not-among';
  readonly values: readonly number[];
}

const EPERM = 1;
const ENOSYS = 38;
const S_ISUID = 0o4000;
const O_CREAT_OR_TMPFILE = 0o100 | 0o20000000;
/** `CLONE_NEW*` of linux/sched.h. */
const NEW_NAMESPACES = 0x7e020000;
const CLONE_NEWTIME = 0x80;
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16];
const [SOCK_STREAM, SOCK_SEQPACKET, SOCK_TYPE_MASK] = [1, 5, 0xf];
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c];

const has = (argument: number, mask: number): Test => ({ argument, mask, is: 'not-among', values: [0] });

const FIXED: readonly Refusal[] = [
  {
    // Namespaces and mounts: what the sandbox is made of.
    calls: [
      ...(['mount', 'umount2', 'pivot_root', 'chroot', 'move_mount', 'open_tree', 'open_tree_attr'] as const),
      ...(['fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr', 'setns', 'open_by_handle_at'] as const),
    ],
    errno: EPERM,
  },
  { calls: ['unshare'], errno: EPERM, when: [has(0, NEW_NAMESPACES | CLONE_NEWTIME)] },
  { calls: ['clone'], errno: EPERM, when: [has(0, NEW_NAMESPACES)] },
  // Their flags lie in memory, where a filter cannot look; programs go on with `clone`, `openat` and `epoll`.
  { calls: ['clone3', 'openat2', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'], errno: ENOSYS },
  {
    // Other processes' memory and descriptors, and parts of the kernel that no build needs.
    calls: [
      ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'pidfd_getfd', 'kcmp', 'userfaultfd'] as const),
      ...(['keyctl', 'add_key', 'request_key', 'bpf', 'perf_event_open', 'syslog', 'acct', 'quotactl'] as const),
      ...(['init_module', 'finit_module', 'delete_module', 'kexec_load', 'kexec_file_load'] as const),
      ...(['swapon', 'swapoff', 'reboot'] as const),
    ],
    errno: EPERM,
  },
  { calls: ['ioctl'], errno: EPERM, when: [{ argument: 1, is: 'among', values: [TIOCSTI, TIOCLINUX] }] },
  // A set-user-id program in the workspace would be one on the whole machine.
  { calls: ['chmod', 'fchmod', 'creat', 'mknod'], errno: EPERM, when: [has(1, S_ISUID)] },
  { calls: ['fchmodat', 'fchmodat2', 'mknodat'], errno: EPERM, when: [has(2, S_ISUID)] },
  { calls: ['open'], errno: EPERM, when: [has(1, O_CREAT_OR_TMPFILE), has(2, S_ISUID)] },
  { calls: ['openat'], errno: EPERM, when: [has(2, O_CREAT_OR_TMPFILE), has(3, S_ISUID)] },
];

function socketRefusals({ localSockets }: FilterOptions): Refusal[] {
  const families = [AF_INET, AF_INET6, AF_NETLINK, ...(localSockets ? [AF_UNIX] : [])];
  const socket: Refusal = {
    calls: ['socket'],
    errno: EPERM,
    // The rest, vsock among it, is not held by a network namespace.
    when: [{ argument: 0, is: 'not-among', values: families }],
  };
  const socketpair: Refusal = {
    calls: ['socketpair'],
    errno: EPERM,
    // A datagram socket of a pair can be connected again, to any path.
    when: [{ argument: 1, mask: SOCK_TYPE_MASK, is: 'not-among', values: [SOCK_STREAM, SOCK_SEQPACKET] }],
  };
  return localSockets ? [socket] : [socket, socketpair];
}

/** `struct sock_filter` of linux/filter.h. Jumps count from the next instruction. */
interface Instruction {
  readonly code: number;
  readonly k: number;
  readonly yes?: number;
  readonly no?: number;
}

const [LOAD, AND, JUMP_EQUAL, JUMP_BITS, RETURN] = [0x20, 0x54, 0x15, 0x45, 0x06];
const [OFFSET_NUMBER, OFFSET_ARCHITECTURE, OFFSET_ARGUMENTS] = [0, 4, 16];
const ALLOW: Instruction = { code: RETURN, k: 0x7fff0000 };
const KILL_PROCESS: Instruction = { code: RETURN, k: 0x80000000 };
const refuse = (errno: number): Instruction => ({ code: RETURN, k: 0x00050000 | errno });

/**
 * A classic BPF program (seccomp(2)) as bubblewrap's `--seccomp` reads it: an array of `struct sock_filter`.
 * Undefined for a machine whose numbers are not known. A program of another ABI is killed: numbers mean other calls there.
 */
export function seccompFilter(architecture: string, options: FilterOptions): Buffer | undefined {
  const known = architecture === 'x64' || architecture === 'arm64' ? ARCHITECTURES[architecture] : undefined;
  if (known === undefined) return undefined;
  const refusals = [...FIXED, ...socketRefusals(options)];
  return encode([...prologue(known), ...refusals.flatMap((each) => block(known, each)), ALLOW]);
}

function prologue({ audit, foreignBit }: Architecture): Instruction[] {
  const start: Instruction[] = [
    { code: LOAD, k: OFFSET_ARCHITECTURE },
    { code: JUMP_EQUAL, k: audit, yes: 1, no: 0 },
    KILL_PROCESS,
    { code: LOAD, k: OFFSET_NUMBER },
  ];
  return foreignBit === undefined ? start : [...start, { code: JUMP_BITS, k: foreignBit, yes: 0, no: 1 }, KILL_PROCESS];
}

function block({ numbers }: Architecture, { calls, errno, when = [] }: Refusal): Instruction[] {
  const tests = when.flatMap(testInstructions);
  // The tests leave the argument where the number was, so a call that passes is allowed right here.
  const body = tests.length === 0 ? [refuse(errno)] : [...tests, refuse(errno)];
  return calls.flatMap((call) => {
    const number = numbers[call];
    return number === null ? [] : [{ code: JUMP_EQUAL, k: number, yes: 0, no: body.length }, ...body];
  });
}

/** Goes on behind its end when the test holds; allows the call when it does not. */
function testInstructions({ argument, mask, is, values }: Test): Instruction[] {
  const load: Instruction[] = [{ code: LOAD, k: OFFSET_ARGUMENTS + 8 * argument }];
  if (mask !== undefined) load.push({ code: AND, k: mask });
  // Behind the comparisons stand two instructions: what happens without a match, and with one.
  const compares = values.map((value, index): Instruction => {
    const toMatch = values.length - index;
    return { code: JUMP_EQUAL, k: value, yes: toMatch, no: 0 };
  });
  // `among`: no match allows, a match jumps over it. `not-among`: no match jumps over what allows a match.
  const end: Instruction[] = is === 'among' ? [ALLOW] : [{ code: JUMP_ALWAYS, k: 1 }, ALLOW];
  return [...load, ...compares, ...end];
}

const JUMP_ALWAYS = 0x05;

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  instructions.forEach(({ code, k, yes = 0, no = 0 }, index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(yes, index * 8 + 2);
    bytes.writeUInt8(no, index * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4);
  });
  return bytes;
}
