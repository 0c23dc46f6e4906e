import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { program, startProcess, until } from '../measure.ts';
import { Skipped } from '../skipped.ts';
import { baseImage } from './docker-base.ts';

const run = promisify(execFile);

/**
 * A Docker engine of the bench's own, with its own socket and folder, but without network rules: builds and containers use the host's
 * network. `close` ends it by its id and removes the link and the files that it made.
 */
export async function startDocker() {
  if (process.getuid?.() !== 0) throw new Skipped('a Docker engine of our own needs root');
  const dockerd = program('dockerd', 'docker.io');
  const docker = program('docker', 'docker.io');
  program('debootstrap', 'debootstrap');
  // The folder is not below the bench's other folders: overlay2 needs a plain file system, and the socket a short path.
  const folder = mkdtempSync('/var/tmp/paddock-bench-docker-');
  const socket = `unix://${folder}/d.sock`;
  const hadLink = hasLink();
  const [data, exec] = [join(folder, 'data'), join(folder, 'exec')];
  for (const one of [data, exec]) mkdirSync(one);
  const engine = startProcess(dockerd, [
    ...['--data-root', data, '--exec-root', exec, '-H', socket, '--pidfile', join(folder, 'd.pid')],
    ...['--iptables=false', '--ip6tables=false'],
  ]);
  const env = { ...process.env, DOCKER_HOST: socket, DOCKER_CONFIG: folder };
  const call = (...args: string[]) =>
    run(docker, args, { env, timeout: 240_000, maxBuffer: 8 * 1024 ** 2 }).then(({ stdout }) => stdout.trim());
  const close = async () => {
    await engine.close();
    unmountBelow(folder);
    rmSync(folder, { recursive: true, force: true });
    if (!hadLink && hasLink()) execFileSync('ip', ['link', 'delete', 'docker0']);
  };
  try {
    await until('the Docker engine answers', async () => {
      if (!isAlive(engine.pid)) throw new Skipped(`the Docker engine does not start here: ${lastError(engine.output())}`);
      return call('version').then(
        () => true,
        () => false, // not yet; the wait is bounded
      );
    });
    const version = await call('version', '--format', '{{.Server.Version}}');
    await baseImage(call, folder);
    return {
      name: `docker ${version}`,
      call,
      build: (context: string, tag: string) => call('build', '--network', 'host', '-q', '-t', tag, context),
      /** Starts a container in the background and returns its id. */
      start: (tag: string, ...more: string[]) => call('run', '-d', '--network', 'host', ...more, tag),
      remove: (id: string) => call('rm', '-f', id),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
export type Docker = Awaited<ReturnType<typeof startDocker>>;

const hasLink = () => readdirSync('/sys/class/net').includes('docker0');

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]![0] !== 'Z';
  } catch {
    return false; // it has exited and was collected
  }
}

const lastError = (output: string) => output.trim().split('\n').at(-1)?.slice(0, 300) ?? 'it said nothing';

/** Unmounts the mounts that an engine leaves when it ends, deepest first. */
function unmountBelow(folder: string) {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${folder}/`));
  for (const path of mounts.sort((a, b) => b.length - a.length)) execFileSync('umount', ['-l', path]);
}
