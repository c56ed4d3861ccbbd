/** The machines for which a filter can be made, as `process.arch` names them. */
export type FilteredArchitecture = 'x64' | 'arm64';

export interface Architecture {
  /** `AUDIT_ARCH_*` of linux/audit.h: what the kernel says of the way a call came in. */
  readonly audit: number;
  /** Calls of a second ABI share the first one's `audit` and carry this bit. */
  readonly foreignBit?: number;
  readonly numbers: Readonly<Record<SystemCall, number | null>>;
}

/** Name, number on x86_64, number on aarch64; null where there is none (asm/unistd_64.h, asm-generic/unistd.h). */
const NUMBERS = {
  open_by_handle_at: [304, 265],
  acct: [163, 89],
  add_key: [248, 217],
  bpf: [321, 280],
  chmod: [90, null],
  chroot: [161, 51],
  clone: [56, 220],
  clone3: [435, 435],
  creat: [85, null],
  delete_module: [176, 106],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioctl: [16, 29],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  mknod: [133, null],
  mknodat: [259, 33],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  open: [2, null],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  openat: [257, 56],
  openat2: [437, 437],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  reboot: [169, 142],
  request_key: [249, 218],
  setns: [308, 268],
  socket: [41, 198],
  socketpair: [53, 199],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
} as const satisfies Readonly<Record<string, readonly [number, number | null]>>;

export type SystemCall = keyof typeof NUMBERS;

export const ARCHITECTURES: Readonly<Record<FilteredArchitecture, Architecture>> = {
  x64: { audit: 0xc000003e, foreignBit: 0x40000000, numbers: numbersOf(0) },
  arm64: { audit: 0xc00000b7, numbers: numbersOf(1) },
};

function numbersOf(column: 0 | 1): Record<SystemCall, number | null> {
  const entries = Object.entries(NUMBERS).map(([name, row]) => [name, row[column]] as const);
  return Object.fromEntries(entries) as Record<SystemCall, number | null>;
}
