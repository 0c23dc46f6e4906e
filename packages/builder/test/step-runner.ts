import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { StepRunner, StepSpec } from '../src/step.ts';

/** Shows a step the same paths as the real sandbox, without its limits and its network, for tests with our own packages. */
export function trialRunner(seen: StepSpec[] = []): StepRunner {
  return {
    isolated: false,
    async run(step, onLine, signal) {
      seen.push(step);
      const begun = performance.now();
      const home = mkdtempSync(join(tmpdir(), 'paddock-step-'));
      // Only the part of /run that /etc/resolv.conf may point to: agents of other tests mount and unmount there at the same time.
      const system = ['/etc', '/run/systemd/resolve', '/lib', '/lib64', '/bin', '/sbin']
        .filter((path) => existsSync(path))
        .flatMap((path) => ['--ro-bind', path, path]);
      const view = [
        ...[
          '--unshare-pid',
          '--die-with-parent',
          '--clearenv',
          '--ro-bind',
          '/usr',
          '/usr',
          ...system,
          '--proc',
          '/proc',
          '--dev',
          '/dev',
          '--tmpfs',
          '/tmp',
          '--bind',
          home,
          '/home/agent',
        ],
        ...step.mounts.flatMap((m) => [m.writable ? '--bind' : '--ro-bind', m.from, m.at]),
        ...Object.entries({ HOME: '/home/agent', TMPDIR: '/tmp', LANG: 'C.UTF-8', ...step.env }).flatMap(([name, value]) => [
          '--setenv',
          name,
          value,
        ]),
        ...['--remount-ro', '/', '--chdir', step.cwd, '--'],
      ];
      const child = spawn('bwrap', [...view, ...step.command], {
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: step.timeout_ms,
        signal,
        killSignal: 'SIGKILL',
      });
      for (const stream of ['stdout', 'stderr'] as const)
        createInterface({ input: child[stream] }).on('line', (line) => onLine(stream, line));
      const ended = Promise.withResolvers<{ code: number | null; signal: string | null }>();
      child.on('error', (error) => (signal.aborted ? undefined : ended.reject(error)));
      child.on('close', (code, killed) => ended.resolve({ code, signal: killed }));
      try {
        return {
          ...(await ended.promise),
          oom: false,
          disk_full: false,
          forks_refused: false,
          timed_out: false,
          duration_ms: performance.now() - begun,
        };
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  };
}
