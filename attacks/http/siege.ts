import { readFileSync } from 'node:fs';
import { deploy, type Platform, reaches } from '../../apps/server/test/platform.ts';
import { type SlowAttack, slowAttacks } from './slow.ts';
import type { Row } from './table.ts';
import { underSiege } from './under-siege.ts';

/** An agent that takes any body and answers 2 MB to `/long`. */
const agent = {
  'server.js': `require('node:http').createServer((req, res) => {
  req.resume();
  req.on('error', () => res.destroy());
  if (req.url === '/long') res.end(Buffer.alloc(2e6, 'x'));
  else req.on('end', () => res.end('ok'));
}).listen(Number(process.env.PORT));
`,
};

/** Slow clients of every kind against the gateway and the API of a whole platform. */
export async function siege(
  platform: Platform,
  size: { one: number; idle: number; visits: number; only?: readonly string[] },
): Promise<{ gateway: Row[]; api: Row[] }> {
  const { api } = await platform.person();
  const project = await api.projects.create({ name: 'besieged' });
  const { id } = await deploy(api, project.id, agent);
  await reaches(api, id, ['active']);
  const host = new URL(project.url).host;
  const chosen = (attacks: SlowAttack[]) => attacks.filter(({ name }) => size.only?.includes(name) ?? true);
  const gatewayPid = await platform.gatewayPid();
  const rows: { gateway: Row[]; api: Row[] } = { gateway: [], api: [] };
  const gateway = { port: platform.gatewayPort, pid: gatewayPid, host, path: '/', cap: 10_000 + 256 };
  for (const attack of chosen(slowAttacks({ host, path: '/', long: '/long' }, size)))
    rows.gateway.push(await underSiege(gateway, attack, size.visits));
  const { port, host: apiHost } = new URL(platform.origin);
  const server = { port: Number(port), pid: parentOf(gatewayPid), host: apiHost, path: '/healthz', cap: 5_000 };
  for (const attack of chosen(slowAttacks({ host: apiHost, path: '/api/v1/auth/login', long: '/api/v1/openapi.json' }, size)))
    rows.api.push(await underSiege(server, attack, size.visits));
  return rows;
}

/** The gateway is the server's child. */
function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
