import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, program, startProcess, versionOf } from '../measure.ts';
import type { ProxyOptions } from './nginx.ts';

/** Caddy on one core as a proxy to the port, with its JSON access log. */
export async function startCaddy(folder: string, upstream: number, { isLive = false }: ProxyOptions = {}) {
  const caddy = program('caddy', 'caddy');
  const port = await freePort();
  writeFileSync(
    join(folder, 'Caddyfile'),
    `{\n  admin off\n  auto_https off\n}
http://:${port} {
  bind 127.0.0.1
  log {\n    output file ${folder}/caddy.access.log\n    format json\n  }
  reverse_proxy 127.0.0.1:${upstream} {${isLive ? '\n    flush_interval -1' : ''}\n  }
}\n`,
  );
  const started = startProcess(caddy, ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, GOMAXPROCS: '1' },
  });
  await started.listens(port);
  return { ...started, name: `caddy ${versionOf(caddy, 'version').split(' ')[0]!}`, port, pids: [started.pid] };
}
