import type { Policy } from '@paddock/contract';
import { checked } from '../compliance.ts';
import { deploy, reaches, startPlatform, until } from '../platform.ts';
import { endAll } from '../postgres.ts';
import { startNameServer } from './name-server.ts';

/** Connects to the requested host, and returns which address responded, or the error. */
const server = `
const http = require('http');
http.createServer((asked, res) => {
  const host = new URL(asked.url, 'http://agent').searchParams.get('host');
  const failed = (error) => res.end(error.code);
  http.get({ host, port: 80, agent: false, timeout: 4000 }, (answer) => answer.setEncoding('utf8').on('data', (text) => res.end(text)).on('error', failed)).on('error', failed);
}).listen(process.env.PORT)`;

/** Behaviour seen by a developer and an auditor while host policies are added, active and removed. Runs in the namespace of machine.ts. */
async function story() {
  await startNameServer({ 'good.test': '203.0.113.8', 'bad.test': '203.0.113.9' });
  const platform = await startPlatform(undefined);
  const { api } = await platform.person();
  const { id: project_id } = await api.projects.create({ name: 'caller' });
  const deployed = async () => {
    const { id } = await deploy(api, project_id, { 'server.js': server });
    return await reaches(api, id, ['active']);
  };
  const first = await deployed();
  const address = new URL(first.url ?? '').hostname;
  const call = async (host: string) => (await platform.visit(address, `/?host=${host}`)).body;
  const calls = async () => [await call('good.test'), await call('bad.test'), await call('203.0.113.9')];
  const set = (policy: Policy, status: Policy['status']) =>
    api.policies.update({ id: policy.id, name: policy.name, type: policy.type, description: '', rules: policy.rules, status });
  const inForce = async (host: string, said: string) => {
    console.error(`${Math.round(performance.now() / 1000)} s: waiting for ${host}: ${said}`);
    await until(`${host}: ${said}`, async () => (await call(host)) === said);
  };
  const control = async () => {
    const { resources } = await checked(api, 'NET-03');
    return resources.find(({ id }) => id === project_id);
  };

  const record = async () => (await api.governance.auditLogs({ limit: 100, search: 'policy.enforce' })).logs;
  const recorded = (n: number) => until(`${n} records of refusals`, async () => (await record()).length >= n);

  const before = await calls();
  const policy = await api.policies.create({ name: 'Known hosts', status: 'active', rules: ['Allowed hosts: good.test'] });
  await inForce('bad.test', 'ENOTFOUND');
  const held = [await calls(), await calls()];
  const line = async () => {
    const { logs } = await api.logs.list({ id: first.id });
    return logs.map(({ message }) => message).filter((message) => message.includes('bad.test'));
  };
  await until('a line in the log', async () => (await line()).length > 0);
  const told = await line();
  const passed = await control();

  await platform.kill();
  const whileAway = [await call('203.0.113.8'), await call('203.0.113.9'), (await call('bad.test')) === '203.0.113.9'];
  await platform.boot();
  await inForce('good.test', '203.0.113.8');
  const afterRestart = await calls();

  const second = await deployed();
  const fromTheStart = await calls();
  await recorded(3); // an archived policy records nothing any more
  await set(policy, 'archived');
  await inForce('bad.test', '203.0.113.9');
  const archived = await calls();
  const failed = await control();
  await api.policies.create({ name: 'Not these', status: 'active', rules: ['Blocked hosts: bad.test'] });
  await inForce('bad.test', 'ENOTFOUND');
  const blocked = await calls();
  await recorded(4);
  const enforced = (await record()).map(({ output_data }) => output_data);
  return {
    before,
    held,
    told,
    passed,
    whileAway,
    afterRestart,
    fromTheStart,
    archived,
    failed,
    blocked,
    enforced,
    ids: { project: project_id, deployments: [first.id, second.id] },
  };
}

try {
  console.log(JSON.stringify(await story()));
} finally {
  await endAll();
}
process.exit();
