import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { commandLine } from './commands.ts';
import { makePlan } from './make-plan.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-foreground-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;

async function startOf(files: Record<string, string>): Promise<string> {
  const dir = join(home, `agent-${count++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  const node = { version: '24.21.0', path: '' };
  const plan = await makePlan(dir, {}, { python: [{ version: '3.11.2', path: '' }], pythonMinors: [], node, nodeMajors: [] });
  return commandLine(plan.start);
}

const python = { 'requirements.txt': 'six', 'bots/bot.py': '', 'bots/other.py': '' };
const byScript = (script: string) => startOf({ ...python, Dockerfile: 'FROM a\nCOPY . .\nCMD ["sh", "up.sh"]', 'up.sh': script });

const backgroundScripts: [script: string, start: string][] = [
  ['nohup python3 bots/bot.py >/dev/null 2>&1 &\necho started\n', 'python bots/bot.py'],
  [
    '#!/bin/bash\nset -e\nexport MODE=quiet\nMODE=loud nohup python -u bots/bot.py --n 2 &> log.txt &\necho $! > bot.pid',
    'env MODE=loud python -u bots/bot.py --n 2',
  ],
  ['if [ -f x ]; then\n  echo old\nfi\nsetsid python bots/bot.py & disown', 'python bots/bot.py'],
  ['service cron start\nnohup uvicorn bots.bot:app --port 80 &\nsleep 2', 'uvicorn bots.bot:app --port 80'],
  ['screen -dmS bot python3 bots/bot.py', 'python bots/bot.py'],
  ['pm2 start bots/bot.py --name bot', 'python bots/bot.py'],
  [
    '[ "$NODE_ENV" = production ] && pm2 start bot.config.cjs --env production || python bots/other.py --once',
    'python bots/other.py --once',
  ],
];
test('a start script that leaves the agent in the background gives way to the command that it leaves there', async () => {
  for (const [script, start] of backgroundScripts) assert.equal(await byScript(script), start, script);
});

test('of a start of package.json that leaves the choice to a process manager or the foreground, the foreground is taken', async () => {
  const start = '[ "$NODE_ENV" = "production" ] && pm2 start bot.config.cjs --env production || node bot.js';
  const files = { 'package.json': JSON.stringify({ scripts: { start }, dependencies: { pm2: '1' } }), 'bot.js': '', 'bot.config.cjs': '' };
  assert.equal(await startOf(files), 'node bot.js');
  const plain = '[ -d data ] || mkdir data && node bot.js';
  assert.match(await startOf({ ...files, 'package.json': JSON.stringify({ scripts: { start: plain } }) }), /mkdir data/);
});

const stayingScripts = [
  'python bots/bot.py & python bots/other.py',
  'python bots/bot.py &\npython bots/other.py &\nwait',
  'python bots/bot.py &\nwait $!',
  'python bots/bot.py &\nsleep infinity',
  'python bots/bot.py &\ntail -f log.txt',
  'python bots/bot.py &\nwhile true; do sleep 5; done',
  'service cron start && exec python bots/bot.py 2>&1',
  'pm2 start bots/bot.py --no-daemon',
  'exec "$@"',
];
test('a start script that stays as long as the agent is the start command', async () => {
  for (const script of stayingScripts) assert.equal(await byScript(script), 'sh up.sh', script);
});

test('a start script that asks a machine’s own programs to run the agent gives way to the entry file', async () => {
  for (const script of ['docker compose up -d', 'systemctl start bot', 'pm2 start ecosystem.config.js', 'nohup python "$HOME/bot.py" &'])
    assert.equal(
      await startOf({ ...python, 'main.py': '', Dockerfile: 'FROM a\nCOPY . .\nCMD ["bash", "./up.sh"]', 'up.sh': script }),
      'python main.py',
      script,
    );
});

const node = (start: string, more: object = {}) => ({
  'package.json': JSON.stringify({ ...more, scripts: { start }, dependencies: { a: '1' } }),
  'bot.js': '',
  'index.js': '',
});
test('a start script of package.json that leaves the agent in the background gives way as well', async () => {
  assert.equal(await startOf(node('pm2 start bot.js --name bot -- --loud')), 'node bot.js --loud');
  assert.equal(await startOf(node('nohup node bot.js > log 2>&1 &')), 'node bot.js');
  assert.equal(await startOf({ ...node('bash up.sh'), 'up.sh': 'node bot.js &\necho started\n' }), 'node bot.js');
  assert.equal(await startOf(node('docker compose up')), 'node -- index.js');
  assert.equal(await startOf(node('node build.js & node bot.js')), 'node build.js & node bot.js');
  await assert.rejects(
    startOf({ 'package.json': JSON.stringify({ scripts: { start: 'docker compose up' } }), 'x/go.js': '' }),
    /in the background and ends/,
  );
});
