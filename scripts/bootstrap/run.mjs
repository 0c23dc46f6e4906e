import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { stop } from './messages.mjs';
import { envWith } from './npm.mjs';
import { ROOT, RUNTIME } from './root.mjs';

/** Runs `node args` as this process's own work, in the clone unless told otherwise: signals reach it, its exit code becomes ours. */
export function run(node, args, { cwd = ROOT } = {}) {
  const child = startProgram(node, args, { cwd });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl-C reaches the child from the terminal. Passed on as well it would look like the second one, which means 'at once'.
      if (signal === 'SIGINT' && isInForeground()) return;
      child.kill(signal);
    });
  }
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** `node args` with this process's own input and output. `failed` hears that it could not be started. */
export function startProgram(node, args, { cwd = ROOT, failed } = {}) {
  const child = spawn(node, args, { cwd, env: envOf(node), stdio: 'inherit' });
  child.on('error', failed ?? ((error) => stop(`Could not run ${node}: ${error.message}`)));
  return child;
}

export function envOf(node) {
  // The compiled TypeScript is cached, for this process, its threads and its children: the next start reads it instead of
  // stripping and compiling every file again. Where the folder cannot be written Node does without.
  return { NODE_COMPILE_CACHE: join(RUNTIME, 'compile-cache'), ...envWith(node) };
}

/** Whether a terminal sends its Ctrl-C to this process group. */
export function isInForeground() {
  const [own, terminals] = processGroups();
  return own !== undefined && own === terminals;
}

function processGroups() {
  if (process.platform === 'linux') {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [fields[2], fields[5]];
  }
  const { stdout } = spawnSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8', timeout: 5_000 });
  return stdout?.trim().split(/\s+/) ?? [];
}
