import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { place } from './place.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const callMs = 10_000;

export type Terminal = Awaited<ReturnType<typeof openTerminal>>;

/** A real terminal with a shell in a new home, in which `paddock` is the CLI of this clone. */
export async function openTerminal() {
  const home = await mkdtemp(join(tmpdir(), 'paddock-terminal-'));
  const env = {
    HOME: home,
    PATH: [join(root, 'node_modules/.bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    PADDOCK_URL: place().origin,
    NODE_COMPILE_CACHE: join(home, 'compiled'),
    TMUX_TMPDIR: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    PS1: '$ ',
  };
  const tmux = async (...args: string[]) => (await run('tmux', ['-f', '/dev/null', ...args], { env, timeout: callMs })).stdout;
  await tmux('new-session', '-d', '-s', 'test', '-x', '180', '-y', '50', 'sh');

  const screen = () => tmux('capture-pane', '-p', '-J', '-S', '-5000', '-t', 'test');
  return {
    home,
    env,
    screen,
    /** Types a line and presses Enter. */
    async type(line: string) {
      await tmux('send-keys', '-t', 'test', '-l', line);
      await tmux('send-keys', '-t', 'test', 'Enter');
    },
    press: (key: string) => tmux('send-keys', '-t', 'test', key),
    clear: async () => {
      await tmux('send-keys', '-t', 'test', '-l', 'clear');
      await tmux('send-keys', '-t', 'test', 'Enter');
      await sleep(150);
      await tmux('clear-history', '-t', 'test');
    },
    /** Waits until the screen matches. */
    async shows(pattern: RegExp, seconds = 120): Promise<RegExpExecArray> {
      let text = '';
      // Each read of the screen starts a process.
      for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(250)) {
        text = await screen();
        const found = pattern.exec(text);
        if (found) return found;
      }
      throw new Error(`The terminal did not show ${pattern} within ${seconds} s:\n${text.trimEnd()}`);
    },
    /** Runs a command without a terminal, as a script does. */
    run: (args: string[], more: { env?: Record<string, string>; input?: string; cwd?: string } = {}) =>
      runTool(args, { ...env, ...more.env }, more),
    async close() {
      await tmux('kill-server').catch(() => undefined); // it ends by itself when its shell has ended
      await rm(home, { recursive: true, force: true });
    },
  };
}

function runTool(args: string[], env: Record<string, string>, { input, cwd = root }: { input?: string; cwd?: string }) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const tool = join(root, 'apps/cli/dist/paddock.mjs'); // the published form
    const child = execFile(process.execPath, [tool, ...args], { env, cwd, timeout: 60_000, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
    child.stdin?.end(input ?? '');
  });
}
