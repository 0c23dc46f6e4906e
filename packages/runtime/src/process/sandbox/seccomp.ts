/**
 * The system call filter of every sandbox as classic BPF (struct sock_filter[]), the form that `bwrap --seccomp` takes. It refuses calls
 * that no agent needs and that have opened kernels before: namespaces, mounts, tracing, key rings, BPF, io_uring. In the machine's own
 * network it also refuses UNIX sockets, because all sockets with abstract names are reachable there.
 */
export function seccompFilter(arch: NodeJS.Architecture = process.arch, unixSockets: 'allowed' | 'refused' = 'allowed'): Buffer {
  const column = COLUMNS[arch];
  if (column === undefined) throw new Error(`There is no system call filter for ${arch}; x64 and arm64 are supported.`);
  const instructions = [
    load(ARCH_OFFSET),
    branch(EQUAL, AUDIT_ARCH[column], { ifTrue: 1 }),
    answer(KILL),
    load(NUMBER_OFFSET),
    ...(column === COLUMNS.x64 ? refuseX32() : []),
    ...refuseCalls(column),
    // clone3 takes its flags by pointer, which BPF cannot follow; the C library falls back to clone.
    branch(EQUAL, CLONE3, { ifFalse: 1 }),
    answer(errno(ENOSYS)),
    ...checkClone(column),
    ...checkIoctl(column),
    ...checkSocket(column, unixSockets),
    answer(ALLOW),
  ];
  return encode(instructions);
}

/** x32 calls carry bit 30 and would slip past the numbers of the refused calls. */
function refuseX32(): Instruction[] {
  return [branch(AT_LEAST, 0x4000_0000, { ifFalse: 1 }), answer(errno(ENOSYS))];
}

function refuseCalls(column: Column): Instruction[] {
  return Object.values(REFUSED)
    .map((numbers) => numbers[column])
    .filter((number) => number >= 0)
    .flatMap((number) => [branch(EQUAL, number, { ifFalse: 1 }), answer(errno(EPERM))]);
}

function checkClone(column: Column): Instruction[] {
  return [
    branch(EQUAL, CLONE[column], { ifFalse: 4 }),
    load(ARGUMENT_0),
    branch(ANY_BIT, NEW_NAMESPACE_FLAGS, { ifFalse: 1 }),
    answer(errno(EPERM)),
    answer(ALLOW),
  ];
}

/** TIOCSTI and TIOCLINUX type into a terminal. */
function checkIoctl(column: Column): Instruction[] {
  return [
    branch(EQUAL, IOCTL[column], { ifFalse: 5 }),
    load(ARGUMENT_1),
    branch(EQUAL, TIOCSTI, { ifTrue: 1 }),
    branch(EQUAL, TIOCLINUX, { ifFalse: 1 }),
    answer(errno(EPERM)),
    answer(ALLOW),
  ];
}

function checkSocket(column: Column, unixSockets: 'allowed' | 'refused'): Instruction[] {
  const families = [INET, INET6, NETLINK];
  if (unixSockets === 'allowed') families.unshift(UNIX);
  const toAllow = families.map((family, index) => {
    const after = families.length - 1 - index;
    return branch(EQUAL, family, { ifTrue: after, ifFalse: after === 0 ? 1 : 0 });
  });
  return [
    branch(EQUAL, SOCKET[column], { ifFalse: families.length + 3 }),
    load(ARGUMENT_0),
    ...toAllow,
    answer(ALLOW),
    answer(errno(EAFNOSUPPORT)),
  ];
}

/** A struct sock_filter. `ifTrue` and `ifFalse` are numbers of instructions to skip. */
interface Instruction {
  code: number;
  ifTrue: number;
  ifFalse: number;
  value: number;
}

/** Loads a field of struct seccomp_data. */
const load = (offset: number): Instruction => ({ code: LOAD, ifTrue: 0, ifFalse: 0, value: offset });

const branch = (code: number, value: number, { ifTrue = 0, ifFalse = 0 }): Instruction => ({ code, ifTrue, ifFalse, value });

const answer = (value: number): Instruction => ({ code: RETURN, ifTrue: 0, ifFalse: 0, value });

function encode(instructions: Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * INSTRUCTION_BYTES);
  for (const [index, { code, ifTrue, ifFalse, value }] of instructions.entries()) {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes[at + 2] = ifTrue;
    bytes[at + 3] = ifFalse;
    bytes.writeUInt32LE(value >>> 0, at + 4);
  }
  return bytes;
}

/** Numbers that differ between the architectures. */
type Numbers = readonly [x64: number, arm64: number];
type Column = 0 | 1;

const COLUMNS: Partial<Record<NodeJS.Architecture, Column>> = { x64: 0, arm64: 1 };
const INSTRUCTION_BYTES = 8;

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;
const NUMBER_OFFSET = 0;
const ARCH_OFFSET = 4;
const ARGUMENT_0 = 16;
const ARGUMENT_1 = 24;
const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
const AUDIT_ARCH: Numbers = [0xc000_003e, 0xc000_00b7];
const CLONE: Numbers = [56, 220];
const CLONE3 = 435;
const IOCTL: Numbers = [16, 29];
const SOCKET: Numbers = [41, 198];
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const UNIX = 1;
const INET = 2;
const INET6 = 10;
const NETLINK = 16;
const NEW_NAMESPACE_FLAGS = 0x7e02_0080;

const errno = (number: number) => 0x0005_0000 | number;

// biome-ignore format: a table reads best as a table
const REFUSED = {
  ptrace: [101, 117], process_vm_readv: [310, 270], process_vm_writev: [311, 271], kcmp: [312, 272], pidfd_getfd: [438, 438],
  mount: [165, 40], umount2: [166, 39], pivot_root: [155, 41], chroot: [161, 51], move_mount: [429, 429], open_tree: [428, 428],
  fsopen: [430, 430], fsconfig: [431, 431], fsmount: [432, 432], fspick: [433, 433], mount_setattr: [442, 442],
  unshare: [272, 97], setns: [308, 268],
  keyctl: [250, 219], add_key: [248, 217], request_key: [249, 218],
  bpf: [321, 280], perf_event_open: [298, 241], userfaultfd: [323, 282],
  io_uring_setup: [425, 425], io_uring_enter: [426, 426], io_uring_register: [427, 427],
  kexec_load: [246, 104], kexec_file_load: [320, 294], init_module: [175, 105], finit_module: [313, 273], delete_module: [176, 106],
  open_by_handle_at: [304, 265], name_to_handle_at: [303, 264],
  reboot: [169, 142], swapon: [167, 224], swapoff: [168, 225], acct: [163, 89], quotactl: [179, 60], syslog: [103, 116],
  settimeofday: [164, 170], clock_settime: [227, 112], clock_adjtime: [305, 266], adjtimex: [159, 171],
  personality: [135, 92], iopl: [172, -1], ioperm: [173, -1], modify_ldt: [154, -1],
  lookup_dcookie: [212, 18], nfsservctl: [180, 42], vhangup: [153, 58], fanotify_init: [300, 262],
} as const satisfies Record<string, Numbers>;
