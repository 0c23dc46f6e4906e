"""The hostile agent in Python: makes system calls that no library offers, and tells what each got."""

import ctypes
import errno
import http.server
import json
import os
import platform
import resource
import socket
import struct

libc = ctypes.CDLL(None, use_errno=True)
X64 = platform.machine() == "x86_64"
CALLS = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "unshare": (272, 97), "setns": (308, 268), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "keyctl": (250, 219), "add_key": (248, 217), "init_module": (175, 105),
    "kexec_load": (246, 104), "open_by_handle_at": (304, 265), "reboot": (169, 142), "swapon": (167, 224), "syslog": (103, 116),
    "settimeofday": (164, 170), "personality": (135, 92), "quotactl": (179, 60), "fsopen": (430, 430), "open_tree": (428, 428),
    "move_mount": (429, 429), "pidfd_getfd": (438, 438), "sethostname": (170, 161), "fanotify_init": (300, 262), "acct": (163, 89),
}


def call(name):
    """The error's name; a call that the kernel let through tells so."""
    arguments = {"unshare": [0x10000000], "sethostname": [b"x", 1], "personality": [0xFFFFFFFF], "ptrace": [16, os.getppid()]}
    ctypes.set_errno(0)
    result = libc.syscall(CALLS[name][0 if X64 else 1], *(arguments.get(name, [0, 0, 0, 0])))
    return f"returned {result}" if result >= 0 else errno.errorcode.get(ctypes.get_errno(), "?")


def attempt(work):
    try:
        return f"got {work()!r}"[:200]
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    except Exception as error:  # whatever it is, it is what the attempt got
        return type(error).__name__


def write(path, data):
    with open(path, "wb", buffering=0) as file:
        return file.write(data)


def netlink_adds_address(address):
    """Asks the kernel for an address on the loopback, as `ip addr add` does."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as link:
        body = struct.pack("=BBBBi", 2, 32, 0, 0, 1) + struct.pack("=HH4s", 8, 2, socket.inet_aton(address))
        link.send(struct.pack("=IHHII", 16 + len(body), 20, 0x605, 1, 0) + body)
        code = struct.unpack("=i", link.recv(4096)[16:20])[0]
    return "done" if code == 0 else errno.errorcode.get(-code, "?")


PROBES = {
    **{f"system call {name}": (lambda name=name: call(name)) for name in CALLS},
    "raw socket": lambda: attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()),
    "ping socket": lambda: attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP).close()),
    "packet socket": lambda: attempt(lambda: socket.socket(17, socket.SOCK_RAW).close()),
    "vsock": lambda: attempt(lambda: socket.socket(40, socket.SOCK_STREAM).close()),
    "crypto socket": lambda: attempt(lambda: socket.socket(38, socket.SOCK_SEQPACKET).close()),
    "bluetooth": lambda: attempt(lambda: socket.socket(31, socket.SOCK_RAW).close()),
    "uid 0": lambda: attempt(lambda: os.setuid(0)),
    "group 0": lambda: attempt(lambda: os.setgroups([0])),
    "raise the limit on files": lambda: attempt(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1_000_000, 1_000_000))),
    "raise the priority": lambda: attempt(lambda: os.nice(-20)),
    "realtime scheduling": lambda: attempt(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))),
    "make a device": lambda: attempt(lambda: os.mknod("/tmp/sda", 0o60600, os.makedev(8, 0))),
    "debug the init": lambda: attempt(lambda: open("/proc/1/mem", "rb").read(1)),
    "root of the init": lambda: attempt(lambda: os.listdir("/proc/1/root/root")),
    "kernel settings": lambda: attempt(lambda: write("/proc/sys/kernel/core_pattern", b"|/tmp/x")),
    "own memory score": lambda: attempt(lambda: write("/proc/self/oom_score_adj", b"-1000")),
    "user namespace map": lambda: attempt(lambda: write("/proc/self/uid_map", b"0 0 1")),
    "control groups": lambda: attempt(lambda: os.listdir("/sys/fs/cgroup")),
    "kernel memory": lambda: attempt(lambda: open("/dev/mem", "rb").read(1)),
    "disks": lambda: attempt(lambda: open("/dev/sda", "rb").read(1)),
}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        found = {"agent": "hostile python"}
        if self.path == "/probes":
            found = {name: probe() for name, probe in PROBES.items()}
        if self.path.startswith("/address/"):
            found = {"address": netlink_adds_address(self.path.split("/")[2])}
        if self.path.startswith("/bind/"):
            host = self.path.split("/")[2]
            found = {"bind": attempt(lambda: socket.create_server((host, 8080)).close())}
        body = json.dumps(found).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("0.0.0.0", int(os.environ["PORT"])), Handler).serve_forever()
