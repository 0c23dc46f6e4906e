import { spawnSync } from 'node:child_process';
import { basename, delimiter, dirname } from 'node:path';
import { stop } from './messages.mjs';

const MAX_MS = 20 * 60_000;

/** The environment in which `node` is the one that `npm`, `npx` and every script find. */
export const envWith = (node) => ({ ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` });

/** Runs npm under the given Node, silently unless something goes wrong. */
export function npm(node, [verb, ...args], cwd) {
  // npm tells its scripts where it lies. pnpm and yarn use the same variable for themselves.
  const cli = process.env.npm_execpath;
  const [program, first] = cli && basename(cli) === 'npm-cli.js' ? [node, [cli]] : ['npm', []];
  const quiet = ['--loglevel=error', '--no-fund', '--no-audit', '--no-update-notifier'];
  const { status, signal, error } = spawnSync(program, [...first, verb, ...quiet, ...args], {
    cwd,
    env: envWith(node),
    stdio: ['ignore', 2, 2],
    timeout: MAX_MS,
  });
  if (signal === 'SIGINT') process.exit(130);
  if (status === 0) return;
  const advice = verb === 'run' ? '' : ' If it was the network, run the same command again.';
  stop(`"npm ${[verb, ...args].join(' ')}" failed (${endOf({ status, signal, error })}), see above.${advice}`);
}

function endOf({ status, signal, error }) {
  if (error) return error.message;
  return signal ? `ended by ${signal}` : `exit code ${status}`;
}
