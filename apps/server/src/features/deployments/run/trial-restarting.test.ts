import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, reaches, startPlatform, until } from '../../../../test/platform.ts';

/** Replaces the first minute. */
const trialS = 12;
const answering = (text: string, more = '') =>
  `require('http').createServer((q, r) => { r.end('${text}'); ${more} }).listen(process.env.PORT);`;

test('a web agent that was just restarting when it was replaced serves again after its successor failed', async (t) => {
  const paddock = await startPlatform(t, { PADDOCK_TRIAL_S: String(trialS) });
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name: 'restarting' });
  const host = 'restarting.localhost';
  // Each start takes 6 s, so the agent has no port yet when the successor becomes active, nor when that one crashes.
  const slow = `setTimeout(() => { ${answering('slow', "if (q.url === '/crash') setTimeout(() => process.exit(7), 50);")} }, 6000);`;
  const first = await deploy(api, id, { 'server.js': slow, 'paddock.yaml': 'type: web\nstart: node server.js\n' });
  await reaches(api, first.id, ['active']);
  await sleep((trialS + 2) * 1000);
  await paddock.visit(host, '/crash');
  // By then its predecessor runs again, and is silent.
  const later = `setTimeout(() => { ${answering('next', 'setTimeout(() => process.exit(3), 1500);')} }, 3000);`;
  const next = await deploy(api, id, { 'server.js': later, 'paddock.yaml': 'type: web\nstart: node server.js\n' });
  await reaches(api, next.id, ['failed']);
  await until('the one before answers', async () => (await paddock.visit(host)).body === 'slow');
  assert.equal((await api.deployments.get({ id: first.id })).status, 'active');
});
