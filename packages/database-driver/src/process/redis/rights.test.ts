import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { type Bench, never, openBench } from '../../test/bench.ts';
import { redisClient } from '../../test/clients.ts';
import { createDriver } from '../../test/process-driver.ts';

/** Commands of the categories admin and dangerous that agents may use anyway. */
const GIVEN_BACK = ['info', 'config|get', 'client|list', 'module|list', 'role', 'keys', 'flushdb', 'sort', 'sort_ro'];

const REFUSED = [
  'CONFIG SET maxmemory 1gb',
  'CONFIG SET dir /tmp',
  'CONFIG REWRITE',
  'CONFIG RESETSTAT',
  'ACL LIST',
  'ACL GETUSER paddock_admin',
  'ACL SETUSER agent +@all',
  'ACL SETUSER other on nopass ~* +@all',
  'ACL DELUSER paddock_admin',
  'ACL LOAD',
  'ACL SAVE',
  'ACL LOG',
  'MODULE LOAD /tmp/module.so',
  'MODULE UNLOAD any',
  'DEBUG SLEEP 0',
  'DEBUG SEGFAULT',
  'SHUTDOWN NOSAVE',
  'SAVE',
  'BGSAVE',
  'BGREWRITEAOF',
  'LASTSAVE',
  'REPLICAOF 127.0.0.1 6379',
  'SLAVEOF 127.0.0.1 6379',
  'PSYNC ? -1',
  'SYNC',
  'FAILOVER',
  'MIGRATE 127.0.0.1 6379 key 0 100',
  'RESTORE key 0 payload',
  'FLUSHALL',
  'SWAPDB 0 1',
  'MONITOR',
  'CLIENT KILL TYPE normal',
  'CLIENT PAUSE 1000',
  'CLIENT NO-EVICT on',
  'CLIENT UNBLOCK 1',
  'SLOWLOG GET',
  'LATENCY LATEST',
  'CLUSTER RESET',
];

/** Commands that clients send automatically, and commands that queues and caches use. */
const ALLOWED: Record<string, string[]> = {
  ioredis: ['INFO', 'SELECT 1', 'SELECT 0', 'CLIENT SETNAME agent', 'CLIENT SETINFO LIB-NAME ioredis', 'PING'],
  'node-redis': ['HELLO 3', 'HELLO 2', 'CLIENT ID', 'CLIENT TRACKING off', 'CLIENT GETNAME', 'CLIENT NO-TOUCH on', 'COMMAND'],
  'redis-py': ['CLIENT SETINFO LIB-VER 5.0.0', 'ECHO hello', 'ACL WHOAMI', 'CLIENT INFO', 'UNWATCH'],
  RQ: ['CLIENT SETNAME worker', 'CLIENT LIST', 'INFO server'],
  'redis-cli': ['COMMAND DOCS GET', 'CONFIG GET databases', 'DBSIZE', 'SCAN 0', 'MEMORY USAGE key', 'OBJECT ENCODING key', 'TYPE key'],
  BullMQ: [
    'CONFIG GET maxmemory-policy',
    'CLIENT LIST',
    'EVAL return(1) 0',
    'SCRIPT LOAD return(1)',
    'EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0',
    'XADD events * key value',
    'XTRIM events MAXLEN 1',
    'BZPOPMIN marker 0.01',
    'ZADD delayed 1 job',
    'HSET job name value',
    'LPUSH wait job',
    'LMOVE wait active RIGHT LEFT',
  ],
  'Celery and kombu': [
    'BRPOP celery 0.01',
    'LPUSH celery job',
    'PUBLISH celery.result done',
    'SADD _kombu.binding x',
    'SETEX key 60 value',
    'MULTI',
    'EXEC',
  ],
  'LangChain and others': [
    'MODULE LIST',
    'ROLE',
    'KEYS *',
    'SORT celery ALPHA',
    'EXPIRE key 10',
    'DUMP key',
    'FLUSHDB',
    'WAIT 0 10',
    'PUBSUB NUMSUB x',
  ],
};

/** Commands that settings disable for everybody: the server refuses them before it checks permissions. */
const NO = /^ReplyError: (NOPERM|ERR (DEBUG|MODULE) command not allowed)/;

const words = (line: string): [string, ...string[]] => line.split(' ') as [string, ...string[]];

suite("what the tenant's user may do with Redis", () => {
  let bench: Bench;
  let port: number;
  let redis: Redis;
  const connectAs = async (password: string | undefined) => {
    const client = redisClient(port, password);
    await client.connect();
    return client;
  };
  before(async () => {
    bench = openBench({ type: 'redis', module: '', createDriver });
    ({ port } = await bench.start('rights'));
    redis = await connectAs(bench.spec('rights').password);
  });
  after(async () => {
    redis?.disconnect();
    await bench.close();
  });

  for (const line of REFUSED) {
    test(`${line} is refused`, async () => {
      await assert.rejects(redis.call(...words(line)), NO);
    });
  }

  test('every other command that this version counts as administration or as dangerous is refused', async () => {
    const names = new Set<string>();
    for (const category of ['admin', 'dangerous']) {
      for (const name of (await redis.call('COMMAND', 'LIST', 'FILTERBY', 'ACLCAT', category)) as string[]) names.add(name);
    }
    assert.ok(names.size > 60, `${names.size} commands`);
    const allowed: string[] = [];
    for (const name of names) {
      // The server checks permissions after the number of arguments and before it executes anything.
      const [info] = (await redis.call('COMMAND', 'INFO', name)) as [[string, number]];
      const given = name.split('|');
      const filler = Array<string>(Math.max(0, Math.abs(info[1]) - given.length)).fill('x');
      const [command, ...args] = [...given, ...filler] as [string, ...string[]];
      const error = await redis.call(command, ...args).then(
        () => undefined,
        (reason: Error) => reason,
      );
      if (!NO.test(String(error))) allowed.push(name);
    }
    assert.deepEqual(allowed.sort(), [...GIVEN_BACK].sort());
  });

  for (const [client, lines] of Object.entries(ALLOWED)) {
    test(`what ${client} needs is allowed`, async () => {
      const own = await connectAs(bench.spec('rights').password);
      try {
        await own.set('key', 'value');
        for (const line of lines) {
          const [command, ...args] = words(line);
          await own.call(command, ...args.map((arg) => arg.replace('return(1)', 'return 1'))).catch((error: Error) => {
            // Redis 7.0 does not have these two commands yet; clients work without them.
            const isNew = /^CLIENT (SETINFO|NO-TOUCH)/.test(line) && error.message.startsWith('ERR');
            if (!isNew) throw new Error(`${line}: ${error.message}`);
          });
        }
      } finally {
        own.disconnect();
      }
    });
  }

  test('messages reach who subscribes, to channels and to patterns', async () => {
    const listener = await connectAs(bench.spec('rights').password);
    const heard = new Promise((done) => listener.on('pmessage', (...message) => done(message)));
    await listener.psubscribe('news.*');
    await redis.publish('news.today', 'hello');
    assert.deepEqual(await heard, ['news.*', 'news.today', 'hello']);
    listener.disconnect();
  });

  test('the settings that can be read hold no secret and stand as they should', async () => {
    const settings = (await redis.call('CONFIG', 'GET', '*')) as string[];
    const { password, admin_password } = bench.spec('rights');
    for (const secret of [password, admin_password]) assert.equal(settings.join('\n').includes(secret), false);
    const value = (name: string) => settings[settings.indexOf(name) + 1];
    const wanted = {
      requirepass: '',
      masterauth: '',
      bind: '127.0.0.1',
      unixsocket: '',
      'tls-port': '0',
      'protected-mode': 'yes',
      appendonly: 'yes',
      appendfsync: 'always',
      save: '',
      'maxmemory-policy': 'volatile-lru',
      maxclients: '28',
      'enable-debug-command': 'no',
      'enable-module-command': 'no',
      'enable-protected-configs': 'no',
    };
    for (const [name, expected] of Object.entries(wanted)) assert.equal(value(name), expected, name);
    assert.equal(value('maxmemory'), String(120 * 1024 * 1024), 'half of 256 MiB without 16');
  });

  test('who does not sign in may do nothing', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('PING\r\nGET key\r\nINFO\r\nACL WHOAMI\r\nCLIENT LIST\r\nAUTH guess\r\nQUIT\r\n');
    const answers = (await text(socket)).trim().split('\r\n');
    assert.equal(answers.length, 7);
    for (const answer of answers.slice(0, 5)) assert.match(answer, /^-NOAUTH/);
    assert.match(answers[5]!, /^-WRONGPASS/);
  });

  test('when all connections are in use the server counts as running, and figures say why there are none', async () => {
    const { driver, spec } = bench;
    const address = await driver.start(spec('rights'), never);
    const many: Redis[] = [];
    // Connections of earlier tests may still be closing, so the check repeats until the server stays full.
    for (let refused = 0; refused < 5; ) {
      const client = redisClient(port, spec('rights').password);
      const isIn = await client.connect().then(
        () => true,
        () => false,
      );
      if (isIn) many.push(client);
      if (!isIn) refused++;
      if (!isIn) await sleep(20);
      assert.ok(many.length < 40);
    }
    assert.deepEqual(await driver.start(spec('rights'), never), address);
    await assert.rejects(driver.measure(spec('rights'), address), /All connections of this Redis are in use/);
    for (const client of many) client.disconnect();
  });
});
