import { execFileSync } from 'node:child_process';
import type { Row } from '../row.ts';
import { type Arena, again, placeOf } from './arena.ts';

/** D51, D60, R46, R47: what a hostile agent sees of others, and what the kernel permits it. */
export async function trySecrets(arena: Arena): Promise<Row[]> {
  const { paddock, node, python, neighbour } = arena;
  const other = placeOf(paddock.dataDir, neighbour.deployment_id);
  if (!other) throw new Error('The neighbour does not run.');
  const rows: Row[] = [];
  const add = ({ got, measured = '', ...row }: Omit<Row, 'measured'> & { measured?: string }) =>
    rows.push({ ...row, got: row.ok ? got : `WRONG ${got}`, measured });
  type Try = { item: string; attempt: string; expected?: string };
  const sh = async ({ item, attempt, expected = 'nothing' }: Try, command: string, isGood: (output: string) => boolean) => {
    const output = (await node.sh(command)).output.trim();
    add({ item, attempt, expected, got: output.replaceAll('\n', ' ').slice(0, 100) || 'nothing', ok: isGood(output) });
  };
  const none = (output: string) => output === '';
  await sh(
    { item: 'D51', attempt: 'environments and command lines in /proc' },
    'cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n" | grep -E "CANARY_neighbou[r]|supervis[e]|postgre[s]|PADDOCK_DAT[A]"',
    none,
  );
  await sh(
    { item: 'D51', attempt: 'processes that are not its own' },
    'for p in /proc/[0-9]*; do tr "\\0" " " <$p/cmdline; echo; done 2>/dev/null | grep -vE "^$|bwrap|server.mjs|/bin/sh|^tr|^grep|npm"',
    none,
  );
  await sh(
    { item: 'D51', attempt: 'the neighbour’s files by their path' },
    `ls ${other.folder} ${other.folder}/app ${paddock.dataDir} 2>/dev/null; cat ${other.folder}/instance.json ${other.folder}/home/.env 2>/dev/null`,
    none,
  );
  await sh(
    { item: 'D51', attempt: 'files of other users, anywhere' },
    'find / -xdev -not -user agent -newermt "-1 day" -readable -type f -not -path "/proc/*" -not -path "/usr/*" -not -path "/opt/*" -not -path "/etc/*" 2>/dev/null | head -5',
    none,
  );
  await sh(
    { item: 'D51', attempt: 'secrets in any place that may be shared' },
    'grep -rsl CANARY_neighbour /app /home /tmp /run /dev/shm /var /etc /opt/paddock /mnt /srv /media 2>/dev/null',
    none,
  );
  await sh(
    { item: 'D51', attempt: 'writable places outside of its own' },
    'for d in / /usr /etc /opt /opt/paddock /proc/sys /sys /dev /var /usr/local/bin; do touch $d/x 2>/dev/null && echo $d; done',
    none,
  );
  await sh(
    { item: 'D60', attempt: 'signals to every process, by name and number', expected: 'its own only' },
    'kill -TERM 1 2>&1; kill -0 -1 && echo own; pkill -9 postgres 2>/dev/null; for p in $(seq 2 3000); do kill -0 $p 2>/dev/null && echo $p; done | wc -l',
    (output) => Number(output.split('\n').at(-1)) < 20,
  );
  await sh(
    { item: 'R46', attempt: 'rights', expected: 'none, no new ones, filtered' },
    'grep -E "^(Cap(Eff|Prm|Bnd|Amb)|NoNewPrivs|Seccomp):" /proc/self/status | tr -d "\\n\\t "',
    (output) => (output.match(/0{16}/g) ?? []).length === 4 && /NoNewPrivs:1.*Seccomp:2/.test(output),
  );
  await sh(
    { item: 'R46', attempt: 'setuid programs', expected: 'user 1000' },
    'for f in /usr/bin/su /usr/bin/passwd /usr/bin/mount /usr/bin/sudo /usr/bin/newuidmap; do [ -x $f ] && $f --version >/dev/null 2>&1; done; cp /bin/sh /tmp/sh; chmod 4755 /tmp/sh; /tmp/sh -pc "id -u"',
    (output) => output.endsWith('1000'),
  );
  const probes = (await python.ask('/probes')) as Record<string, string>;
  const kernel = Object.entries(probes).filter(([, got]) => !/^(E[A-Z0-9]+|ValueError|got \[\])$/.test(got));
  const calls = Object.keys(probes).filter((name) => name.startsWith('system call'));
  add({
    item: 'D60',
    attempt: `${calls.length} system calls: ptrace, mounts, namespaces, modules, bpf …`,
    expected: 'an error',
    got: shown(kernel, 'system call'),
    ok: kernel.filter(([name]) => name.startsWith('system call')).length === 0,
    measured: count(probes, 'system call'),
  });
  add({
    item: 'D58',
    attempt: 'raw, packet, ping, vsock, crypto sockets',
    expected: 'an error',
    got: shown(kernel, 'socket|vsock|bluetooth'),
    ok: kernel.filter(([name]) => /socket|vsock|bluetooth/.test(name)).length === 0,
    measured: count(probes, 'socket|vsock|bluetooth'),
  });
  const rest = kernel.filter(([name]) => !/system call|socket|vsock|bluetooth/.test(name));
  add({
    item: 'R46',
    attempt: 'uid 0, limits, priority, devices, kernel’s settings and memory',
    expected: 'an error',
    got: rest.map(([name, got]) => `${name}: ${got}`).join(', ') || 'refused',
    ok: rest.length === 0,
    measured: `${Object.keys(probes).length - calls.length} probes`,
  });
  const own = (await node.ask('/env')) as Record<string, string>;
  const strange = Object.keys(own).filter((name) => /DATABASE|TOKEN|KEY|PADDOCK_(DATA|SECRET|HOST|PORT)|npm_config_.*auth/i.test(name));
  add({
    item: 'R47',
    attempt: 'its own environment',
    expected: 'only what was set',
    got: strange.join(', ') || `${Object.keys(own).length} names, nothing of the platform’s`,
    ok: strange.length === 0 && own.SECRET === 'CANARY_own_secret',
  });
  // The requests of this attack to its own agent are on record, and they contain the canary.
  const onHost = execFileSync(
    'sh',
    [
      '-c',
      `grep -rlsa --exclude-dir=audit-spool CANARY_neighbour ${paddock.dataDir}; cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 'CANARY_[n]eighbour_secret'; exit 0`,
    ],
    { encoding: 'utf8' },
  ).trim();
  add({
    item: 'R47',
    attempt: 'secrets in files of the data directory or on command lines',
    expected: 'none',
    got: onHost || 'none',
    ok: onHost === '',
  });
  await node.sh('for d in /tmp /dev/shm /var/tmp ~ /run /app; do echo CANARY_left > $d/left; done');
  arena.node = await again(paddock, node);
  const { output } = await arena.node.sh('cat /tmp/left /dev/shm/left /var/tmp/left ~/left /run/left /app/left 2>/dev/null');
  add({
    item: 'D51',
    attempt: 'what an agent before left in /tmp, /dev/shm, home, /app',
    expected: 'nothing',
    got: output.trim() || 'nothing',
    ok: output.trim() === '',
  });
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
