import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { Sql } from '../../../apps/server/src/db/connect.ts';
import { defaultDataProtection } from '../../../packages/contract/src/data-protection.ts';
import { piiTypes } from '../../../packages/pii/src/types.ts';
import { requestsPerCpu } from '../../load/wrk.ts';
import { freePort, inFolder, interleave, startProcess } from '../../measure.ts';
import { startRedactGateway } from '../../peers/redact-gateway.ts';
import { alone, beside, type Row } from '../../row.ts';
import { inFrontOf, type Side } from '../../sides.ts';
import { orSkipped, Skipped } from '../../skipped.ts';

const planted = {
  Email: 'maria.lopez@example.com',
  Phone: '(415) 867-5309',
  SSN: '536-90-4399',
  'Credit Card': '4111 1111 1111 1111',
  Address: '742 Evergreen Terrace, Springfield, IL 62704',
  Name: 'Maria Lopez',
  'IP Address': '203.0.113.77',
  'Date of Birth': '03/14/1985',
};
const filler =
  'The order was shipped on Monday and should arrive within a week. Version 2.4.1 of the form asks for the invoice number 88231. ';
const sentence = `My name is ${planted.Name}, born on ${planted['Date of Birth']}. Write to ${planted.Email} or call ${planted.Phone}. I live at ${planted.Address}. My SSN is ${planted.SSN}, my card is ${planted['Credit Card']}, and I log in from ${planted['IP Address']}. `;
const text = (sentence + filler.repeat(20)).slice(0, 1_900);
const path = '/v1/chat/completions';
const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: text }] });
const asked = 50;

export const row: Row = {
  name: 'gateway/masking',
  seconds: 60,
  run: (report) =>
    inFolder((folder) =>
      inFrontOf(
        startChatAgent,
        async ({ ours, hosts, agent, sql }) => {
          await maskEverything(sql);
          const peer = await orSkipped(() => startRedactGateway(folder, agent.ports[0]!));
          const script = join(folder, 'chat.lua');
          writeFileSync(
            script,
            `wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\nwrk.body = ${JSON.stringify(body)}\n`,
          );
          const measure = (side: Side) => () => requestsPerCpu({ ...side, path, host: hosts[0]! }, 3, { script });
          const work = 'gateway, chats of 2 kB both ways, eight types masked both ways, audit records written';
          const unit = 'requests per second of CPU';
          try {
            const ourLeaks = await leaks(ours.port, { host: hosts[0]!, agent: agent.ports[0]!, stored: () => storedIn(sql) });
            if (peer instanceof Skipped) {
              const [values] = await interleave(3, [measure(ours)]);
              return report(alone({ work, unit, ours: { values: values! }, why: peer.message, goal: undefined }));
            }
            const theirLeaks = await leaks(peer.port, { host: 'localhost', agent: agent.ports[0]!, stored: async () => peer.stored() });
            await interleave(1, [measure(ours), measure(peer)]);
            const [values, theirs] = await interleave(5, [measure(ours), measure(peer)]);
            const note = `values that were not masked, of ${asked} chats with one of each of ${piiTypes.length} types: ours ${ourLeaks}; redact-gateway with its default profile ${theirLeaks}. Its records go to a file, ours to PostgreSQL`;
            report(beside({ work, unit, better: 'more', ours: { values: values! }, peer: { name: peer.name, values: theirs! }, note }));
          } finally {
            if (!(peer instanceof Skipped)) await peer.close();
          }
        },
        { withPeers: false },
      ),
    ),
};

async function startChatAgent() {
  const port = await freePort();
  const env = { ...process.env, CHAT_AGENT: JSON.stringify({ planted, answer: text }) };
  const agent = startProcess(process.execPath, [join(import.meta.dirname, '../../peers/chat-agent.mjs'), `${port}`], { env });
  await agent.listens(port);
  return { ...agent, ports: [port] };
}

/** Makes all projects mask all types both ways, and waits until the gateway has read it, which takes seconds. */
async function maskEverything(sql: Sql): Promise<void> {
  const rules = Object.fromEntries(piiTypes.map((type) => [type, { action: 'mask', traffic: 'both' }]));
  await sql`
    insert into data_protection (project_id, team_id, settings)
    select id, team_id, ${sql.json({ ...defaultDataProtection, rules })}
    from projects`;
  await new Promise((resolve) => setTimeout(resolve, 7_000));
}

/** Counts the planted values that reached the agent, the caller, and the records. */
async function leaks(
  port: number,
  { host, agent, stored }: { host: string; agent: number; stored: () => Promise<string> },
): Promise<string> {
  let answered = 0;
  await (await fetch(`http://127.0.0.1:${agent}/`)).text();
  for (let n = 0; n < asked; n++) {
    const { request } = await import('node:http');
    const answer = await new Promise<string>((resolve, reject) => {
      const call = request(
        { port, method: 'POST', path, headers: { host, 'content-type': 'application/json', 'x-count': '1' } },
        (response) => {
          let got = '';
          response.on('data', (piece: Buffer) => (got += String(piece)));
          response.on('end', () => resolve(got));
        },
      );
      call.on('error', reject);
      call.end(body);
    });
    if (!answer.includes('choices')) throw new Error(`no chat was answered: ${answer.slice(0, 200)}`);
    for (const value of Object.values(planted)) if (answer.includes(value)) answered += 1;
  }
  const received = Object.values((await (await fetch(`http://127.0.0.1:${agent}/`)).json()) as Record<string, number>).reduce(
    (sum, one) => sum + one,
    0,
  );
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const kept = await stored();
  const inStore = Object.values(planted).reduce((sum, value) => sum + kept.split(value).length - 1, 0);
  return `${received} at the agent, ${answered} in answers, ${inStore} in records`;
}

async function storedIn(sql: Sql): Promise<string> {
  const rows = await sql<{ events: Buffer }[]>`
    select events
    from audit_intake
    where events is not null`;
  if (rows.length === 0) throw new Error('nothing was recorded');
  return rows.map(({ events }) => inflateRawSync(events).toString()).join('\n');
}
