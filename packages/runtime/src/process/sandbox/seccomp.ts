/**
 * The system call filter of every sandbox as classic BPF (struct sock_filter[]), the form that `bwrap --seccomp` takes.
 * It refuses what no agent needs and what has opened kernels before: namespaces, mounts, tracing, key rings, BPF, io_uring.
 * In the machine's own network it also refuses UNIX sockets: those with abstract names, of whatever program, are all there.
 */
export function seccompFilter(arch: NodeJS.Architecture = process.arch, unixSockets: 'allowed' | 'refused' = 'allowed'): Buffer {
  const column = arch === 'x64' ? 0 : arch === 'arm64' ? 1 : undefined;
  if (column === undefined) throw new Error(`There is no system call filter for ${arch}; x64 and arm64 are supported.`);
  const program: [code: number, ifTrue: number, ifFalse: number, k: number][] = [];
  const add = (code: number, ifTrue: number, ifFalse: number, k: number) => program.push([code, ifTrue, ifFalse, k >>> 0]);

  add(LOAD, 0, 0, ARCH_OFFSET);
  add(EQUAL, 1, 0, AUDIT_ARCH[column]);
  add(RETURN, 0, 0, KILL);
  add(LOAD, 0, 0, 0);
  if (column === 0) {
    // x32 calls carry bit 30 and would slip past the numbers below.
    add(AT_LEAST, 0, 1, 0x4000_0000);
    add(RETURN, 0, 0, errno(ENOSYS));
  }
  for (const numbers of Object.values(REFUSED)) {
    if (numbers[column] < 0) continue;
    add(EQUAL, 0, 1, numbers[column]);
    add(RETURN, 0, 0, errno(EPERM));
  }
  // clone3 takes its flags by pointer, which BPF cannot follow; the C library falls back to clone.
  add(EQUAL, 0, 1, 435);
  add(RETURN, 0, 0, errno(ENOSYS));
  add(EQUAL, 0, 4, CLONE[column]);
  add(LOAD, 0, 0, ARGUMENT_0);
  add(ANY_BIT, 0, 1, NEW_NAMESPACE_FLAGS);
  add(RETURN, 0, 0, errno(EPERM));
  add(RETURN, 0, 0, ALLOW);
  // TIOCSTI and TIOCLINUX type into a terminal.
  add(EQUAL, 0, 5, IOCTL[column]);
  add(LOAD, 0, 0, ARGUMENT_1);
  add(EQUAL, 1, 0, 0x5412);
  add(EQUAL, 0, 1, 0x541c);
  add(RETURN, 0, 0, errno(EPERM));
  add(RETURN, 0, 0, ALLOW);
  const families = [...(unixSockets === 'allowed' ? [UNIX] : []), INET, INET6, NETLINK];
  add(EQUAL, 0, families.length + 3, SOCKET[column]);
  add(LOAD, 0, 0, ARGUMENT_0);
  for (const [index, family] of families.entries()) {
    const after = families.length - 1 - index;
    add(EQUAL, after, after === 0 ? 1 : 0, family);
  }
  add(RETURN, 0, 0, ALLOW);
  add(RETURN, 0, 0, errno(EAFNOSUPPORT));
  add(RETURN, 0, 0, ALLOW);

  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, k]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes[index * 8 + 2] = ifTrue;
    bytes[index * 8 + 3] = ifFalse;
    bytes.writeUInt32LE(k, index * 8 + 4);
  }
  return bytes;
}

type Numbers = readonly [x64: number, arm64: number];

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;
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
const IOCTL: Numbers = [16, 29];
const SOCKET: Numbers = [41, 198];
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
