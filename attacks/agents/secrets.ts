import { execFileSync } from 'node:child_process';
import type { Row } from '../row.ts';
import { type Arena, again, placeOf } from './arena.ts';

/** D51, D60, R46, R47: what a hostile agent sees of others, and what the kernel lets it do. */
export async function trySecrets(arena: Arena): Promise<Row[]> {
  const { paddock, node, python, neighbour } = arena;
  const other = placeOf(paddock.data_dir, neighbour.deployment_id);
  if (!other) throw new Error('The neighbour does not run.');
  const rows: Row[] = [];
  const add = (item: string, attempt: string, expected: string, got: string, ok: boolean, measured = '') =>
    rows.push({ item, attempt, expected, got: ok ? got : `WRONG ${got}`, ok, measured });
  const sh = async (item: string, attempt: string, command: string, good: (output: string) => boolean, expected = 'nothing') => {
    const { output } = await node.sh(command);
    add(item, attempt, expected, output.trim().replaceAll('\n', ' ').slice(0, 100) || 'nothing', good(output.trim()));
  };
  const none = (output: string) => output === '';
  await sh(
    'D51',
    'environments and command lines in /proc',
    'cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n" | grep -E "CANARY_neighbou[r]|supervis[e]|postgre[s]|PADDOCK_DAT[A]"',
    none,
  );
  await sh(
    'D51',
    'processes that are not its own',
    'for p in /proc/[0-9]*; do tr "\\0" " " <$p/cmdline; echo; done 2>/dev/null | grep -vE "^$|bwrap|server.mjs|/bin/sh|^tr|^grep|npm"',
    none,
  );
  await sh(
    'D51',
    'the neighbour’s files by their path',
    `ls ${other.folder} ${other.folder}/app ${paddock.data_dir} 2>/dev/null; cat ${other.folder}/instance.json ${other.folder}/home/.env 2>/dev/null`,
    none,
  );
  await sh(
    'D51',
    'files of other users, anywhere',
    'find / -xdev -not -user agent -newermt "-1 day" -readable -type f -not -path "/proc/*" -not -path "/usr/*" -not -path "/opt/*" -not -path "/etc/*" 2>/dev/null | head -5',
    none,
  );
  await sh(
    'D51',
    'secrets in any place that may be shared',
    'grep -rsl CANARY_neighbour /app /home /tmp /run /dev/shm /var /etc /opt/paddock /mnt /srv /media 2>/dev/null',
    none,
  );
  await sh(
    'D51',
    'writable places outside of its own',
    'for d in / /usr /etc /opt /opt/paddock /proc/sys /sys /dev /var /usr/local/bin; do touch $d/x 2>/dev/null && echo $d; done',
    none,
  );
  await sh(
    'D60',
    'signals to every process, by name and number',
    'kill -TERM 1 2>&1; kill -0 -1 && echo own; pkill -9 postgres 2>/dev/null; for p in $(seq 2 3000); do kill -0 $p 2>/dev/null && echo $p; done | wc -l',
    (output) => Number(output.split('\n').at(-1)) < 20,
    'its own only',
  );
  await sh(
    'R46',
    'rights',
    'grep -E "^(Cap(Eff|Prm|Bnd|Amb)|NoNewPrivs|Seccomp):" /proc/self/status | tr -d "\\n\\t "',
    (output) => (output.match(/0{16}/g) ?? []).length === 4 && /NoNewPrivs:1.*Seccomp:2/.test(output),
    'none, no new ones, filtered',
  );
  await sh(
    'R46',
    'setuid programs',
    'for f in /usr/bin/su /usr/bin/passwd /usr/bin/mount /usr/bin/sudo /usr/bin/newuidmap; do [ -x $f ] && $f --version >/dev/null 2>&1; done; cp /bin/sh /tmp/sh; chmod 4755 /tmp/sh; /tmp/sh -pc "id -u"',
    (output) => output.endsWith('1000'),
    'user 1000',
  );
  const probes = (await python.ask('/probes')) as Record<string, string>;
  const kernel = Object.entries(probes).filter(([, got]) => !/^(E[A-Z0-9]+|ValueError|got \[\])$/.test(got));
  const calls = Object.keys(probes).filter((name) => name.startsWith('system call'));
  add(
    'D60',
    `${calls.length} system calls: ptrace, mounts, namespaces, modules, bpf …`,
    'an error',
    shown(kernel, 'system call'),
    kernel.filter(([name]) => name.startsWith('system call')).length === 0,
    count(probes, 'system call'),
  );
  add(
    'D58',
    'raw, packet, ping, vsock, crypto sockets',
    'an error',
    shown(kernel, 'socket|vsock|bluetooth'),
    kernel.filter(([name]) => /socket|vsock|bluetooth/.test(name)).length === 0,
    count(probes, 'socket|vsock|bluetooth'),
  );
  const rest = kernel.filter(([name]) => !/system call|socket|vsock|bluetooth/.test(name));
  add(
    'R46',
    'uid 0, limits, priority, devices, kernel’s settings and memory',
    'an error',
    rest.map(([name, got]) => `${name}: ${got}`).join(', ') || 'refused',
    rest.length === 0,
    `${Object.keys(probes).length - calls.length} probes`,
  );
  const own = (await node.ask('/env')) as Record<string, string>;
  const strange = Object.keys(own).filter((name) => /DATABASE|TOKEN|KEY|PADDOCK_(DATA|SECRET|HOST|PORT)|npm_config_.*auth/i.test(name));
  add(
    'R47',
    'its own environment',
    'only what was set',
    strange.join(', ') || `${Object.keys(own).length} names, nothing of the platform’s`,
    strange.length === 0 && own.SECRET === 'CANARY_own_secret',
  );
  const onHost = execFileSync(
    'sh',
    [
      '-c',
      `grep -rlsa CANARY_neighbour ${paddock.data_dir}; cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 'CANARY_[n]eighbour_secret'; exit 0`,
    ],
    { encoding: 'utf8' },
  ).trim();
  add('R47', 'secrets in files of the data directory or on command lines', 'none', onHost || 'none', onHost === '');
  await node.sh('for d in /tmp /dev/shm /var/tmp ~ /run /app; do echo CANARY_left > $d/left; done');
  arena.node = await again(paddock, node);
  const { output } = await arena.node.sh('cat /tmp/left /dev/shm/left /var/tmp/left ~/left /run/left /app/left 2>/dev/null');
  add('D51', 'what an agent before left in /tmp, /dev/shm, home, /app', 'nothing', output.trim() || 'nothing', output.trim() === '');
  return rows;
}

const shown = (kernel: [string, string][], which: string) =>
  kernel
    .filter(([name]) => new RegExp(which).test(name))
    .map(([name, got]) => `${name}: ${got}`)
    .join(', ') || 'refused';
const count = (probes: Record<string, string>, which: string) =>
  [
    ...new Set(
      Object.entries(probes)
        .filter(([name]) => new RegExp(which).test(name))
        .map(([, got]) => got),
    ),
  ].join(', ');
