import { endAll } from '../../apps/server/test/postgres.ts';
import { query, redisCall } from '../../faults/databases/managed.ts';
import { addressesOfMachine, hostEndOf, refusals } from '../agents/reach.ts';
import { type Row, table } from '../row.ts';
import { type Arena, marker, openArena } from './arena.ts';
import { redisTricks, sqlTricks } from './tricks.ts';

const item = 'databases';

/** Attempts of an agent on databases that are not its own, and on its own. The first rows prove that the agent can connect at all. */
export async function attackDatabases(): Promise<Row[]> {
  const arena = await openArena();
  try {
    return [
      await ownWork(arena),
      ...(await byAddress(arena)),
      ...(await byCredentials(arena)),
      ...(await bySocket(arena)),
      ...(await byTricks(arena)),
      await unharmed(arena),
    ];
  } catch (error) {
    throw new Error(`An attempt could not be made; the server said:\n${arena.paddock.output()}`, { cause: error });
  }
}

async function ownWork({ own, attempt }: Arena): Promise<Row> {
  const [sql] = await attempt('sql', [[own.postgresql, 'select 1 as one']]);
  const [ping] = await attempt('redis', [[own.redis, 'SET', 'own', 'value']]);
  const [dialled] = await attempt('dial', [['127.0.0.1', portOf(own.postgresql)]]);
  const got = [sql, ping, dialled].join(', ');
  return {
    item,
    attempt: 'its own databases, as a check of the attacks',
    expected: 'they work',
    got,
    ok: got === '[{"one":1}], "OK", connected',
  };
}

async function byAddress({ paddock, theirs, own, place, neighbours, attempt }: Arena): Promise<Row[]> {
  // The neighbour's ports lead to its databases from its own link only, not from anybody else's.
  const hosts = [...addressesOfMachine(place), hostEndOf(neighbours), neighbours.address];
  const ports = {
    'the neighbour’s PostgreSQL': portOf(theirs.postgresql),
    'the neighbour’s Redis': portOf(theirs.redis),
    'the platform’s PostgreSQL': portOf(paddock.databaseUrl),
  };
  const rows: Row[] = [];
  for (const [what, port] of Object.entries(ports)) {
    const got = await attempt(
      'dial',
      hosts.map((host) => [host, port]),
    );
    rows.push(judge(`${what} on ${hosts.length} addresses of the machine`, { targets: hosts, got }, (one) => refusals.test(one)));
  }
  // An agent reaches its databases at its loopback and at the end of its own link, to which the loopback forwards, and nowhere else.
  const elsewhere = hosts.filter((host) => !/^(127\.|localhost$|0|::|2130706433$)/.test(host) && host !== hostEndOf(place));
  const got = await attempt(
    'dial',
    elsewhere.flatMap((host) => [portOf(own.postgresql), portOf(own.redis)].map((port) => [host, port])),
  );
  rows.push(
    judge('its own ones by other addresses of the machine', { targets: elsewhere.flatMap((host) => [host, host]), got }, (one) =>
      refusals.test(one),
    ),
  );
  const near = [-3, -2, -1, 1, 2, 3].flatMap((step) => [portOf(own.postgresql) + step, portOf(own.redis) + step]);
  const others = near.filter((port) => port !== portOf(own.postgresql) && port !== portOf(own.redis));
  rows.push(
    judge(
      'ports beside its own',
      {
        targets: others.map(String),
        got: await attempt(
          'dial',
          others.map((port) => ['127.0.0.1', port]),
        ),
      },
      (one) => refusals.test(one),
    ),
  );
  return rows;
}

async function byCredentials({ paddock, theirs, place, neighbours, attempt }: Arena): Promise<Row[]> {
  const hosts = [...addressesOfMachine(place), hostEndOf(neighbours)].filter((host) => host !== '0' && host !== '2130706433');
  const at = (url: string, host: string) => {
    const to = new URL(url);
    return url.replace(to.host, `${host.includes(':') ? `[${host}]` : host}:${to.port}`);
  };
  const isRefused = (one: string) => one.startsWith('refused') && !one.includes(marker);
  const sql = async (what: string, url: string, text: string) =>
    judge(
      `${what}, with its connection string`,
      {
        targets: hosts,
        got: await attempt(
          'sql',
          hosts.map((host) => [at(url, host), text]),
        ),
      },
      isRefused,
    );
  return [
    await sql('the neighbour’s PostgreSQL', theirs.postgresql, 'select secret from secrets'),
    await sql('the platform’s PostgreSQL', paddock.databaseUrl, 'select count(*) from users'),
    judge(
      'the neighbour’s Redis, with its connection string',
      {
        targets: hosts,
        got: await attempt(
          'redis',
          hosts.map((host) => [at(theirs.redis, host), 'GET', 'secret']),
        ),
      },
      isRefused,
    ),
  ];
}

async function bySocket({ paddock, agent, attempt }: Arena): Promise<Row[]> {
  const rows: Row[] = [];
  const sh = async (what: string, command: string) => {
    const [got = ''] = await attempt('sh', [[command]]);
    rows.push({ item, attempt: what, expected: 'nothing', got: got.trim().slice(0, 200) || 'nothing', ok: got.trim() === '' });
  };
  await sh(
    'sockets of servers, anywhere',
    'find / -type s -not -path "/proc/*" 2>/dev/null; awk \'NR > 1 && NF > 7 { print $8 }\' /proc/net/unix',
  );
  await sh('servers among the processes', 'cat /proc/[0-9]*/comm 2>/dev/null | grep -E "postgre[s]|redis|valkey"');
  await sh(
    'what listens in its network, beside what it was given',
    `ls -d ${paddock.dataDir}/* ${paddock.dataDir}/databases/${agent.postgresql} /store /proc/*/root/store 2>/dev/null`,
  );
  return rows;
}

async function byTricks({ own, theirs, attempt }: Arena): Promise<Row[]> {
  const target = (url: string) => ({ host: '127.0.0.1', port: new URL(url).port, password: decodeURIComponent(new URL(url).password) });
  const sql = sqlTricks(target(theirs.postgresql));
  const redis = redisTricks(target(theirs.redis));
  const asNobody = new URL(own.redis);
  asNobody.username = '';
  asNobody.password = '';
  const asAdmin = (name: string) => {
    const url = new URL(own.postgresql);
    url.username = name;
    return url.href;
  };
  const names = ['postgres', 'paddock', 'admin', 'platform'];
  const isSqlRefused = (one: string) => /^refused (42501|0A000|58P01|42704|42883|55000|22023|42710|28000|28P01|55P02) /.test(one);
  return [
    judge(
      `${sql.length} ways out of its own PostgreSQL`,
      {
        targets: sql,
        got: await attempt(
          'sql',
          sql.map((text) => [own.postgresql, text]),
        ),
      },
      isSqlRefused,
    ),
    judge(
      'other users of its own PostgreSQL',
      {
        targets: names,
        got: await attempt(
          'sql',
          names.map((name) => [asAdmin(name), 'select 1']),
        ),
      },
      isSqlRefused,
    ),
    judge(
      `${redis.length} ways out of its own Redis`,
      {
        targets: redis.map((words) => words.slice(0, 2).join(' ')),
        got: await attempt(
          'redis',
          redis.map((words) => [own.redis, ...words]),
        ),
      },
      isRedisRefused,
    ),
    judge(
      'its own Redis without a password',
      {
        targets: ['GET', 'INFO'],
        got: await attempt('redis', [
          [asNobody.href, 'GET', 'own'],
          [asNobody.href, 'INFO'],
        ]),
      },
      isRedisRefused,
    ),
  ];
}

const isRedisRefused = (one: string) => /^refused {2}(NOPERM|NOAUTH|ERR|WRONGPASS|the connection to Redis was closed)/.test(one);

/** The neighbour's data is unchanged, and its servers run. */
async function unharmed({ theirs }: Arena): Promise<Row> {
  const rows = await query<{ secret: string }>(theirs.postgresql, 'select secret from secrets');
  const key = await redisCall(theirs.redis, 'GET', 'secret');
  const keys = await redisCall(theirs.redis, 'DBSIZE');
  const got = `${rows.map(({ secret }) => secret).join()}, ${String(key)}, ${String(keys)} key`;
  return { item, attempt: 'what the neighbour has afterwards', expected: 'what it had', got, ok: got === `${marker}, ${marker}, 1 key` };
}

/** `got` holds the result for each target. */
type Tried = { targets: string[]; got: string[] };

function judge(attempt: string, { targets, got }: Tried, isGood: (one: string) => boolean): Row {
  const wrong = targets.flatMap((target, n) => (isGood(got[n] ?? '') ? [] : [`WRONG ${target}: ${got[n]}`]));
  const kinds = [...new Set(got.map((one) => one.slice(0, 40)))].slice(0, 6).join(', ');
  return {
    item,
    attempt,
    expected: 'refused',
    got: [...wrong, kinds].join('; '),
    measured: `${got.length} tries`,
    ok: wrong.length === 0 && got.length === targets.length,
  };
}

const portOf = (url: string) => Number(new URL(url).port);

if (import.meta.main)
  try {
    console.log(table('Databases', await attackDatabases()));
  } finally {
    await endAll();
  }
