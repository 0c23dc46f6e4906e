import { spawn } from 'node:child_process';

/** Opens the address in the person's browser. False if there is no browser with a display. */
export function openBrowser(address: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const program = openerFor(process.platform, env);
  if (!program) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [address], { stdio: 'ignore', detached: true, env });
    child.once('error', () => resolve(false)); // not installed: the address is printed in any case
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function openerFor(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string | undefined {
  if (platform === 'darwin') return 'open';
  // Over SSH and in containers there is no display, and xdg-open would start a text browser in this terminal.
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : undefined;
}
