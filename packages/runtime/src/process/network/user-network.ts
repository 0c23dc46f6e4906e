import { run } from '../host/run.ts';
import { readStat } from '../proc/processes.ts';
import { SANDBOX_PORT } from '../sandbox/bwrap.ts';

/**
 * Redirects the one port that pasta forwards to another port of the agent. `init` is the sandbox's first process. Its parent is in the
 * namespaces that pasta created: the platform may filter in those, the agent may not.
 */
export async function redirectPort(init: number, port: number): Promise<void> {
  const outer = readStat(init)?.ppid;
  if (outer === undefined) throw new Error('The instance has ended.');
  const rule = `tcp dport ${SANDBOX_PORT} redirect to :${port}`;
  const chain = (name: string, hook: string) => `  chain ${name} {
    type nat hook ${hook} priority -100;
    ${port === SANDBOX_PORT ? '' : rule}
  }
`;
  // For clients of the host's loopback pasta connects from within the namespace, hence the second hook.
  const table = `table inet exposed {\n${chain('arriving', 'prerouting')}${chain('local', 'output')}}\n`;
  await run('nsenter', ['--target', `${outer}`, '--user', '--net', '--preserve-credentials', 'nft', '-f', '-'], {
    stdin: `add table inet exposed\ndelete table inet exposed\n${table}`,
  });
}
