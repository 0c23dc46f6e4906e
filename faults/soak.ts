// `npm run test:soak`: agents come, change, crash and go for an hour under constant requests and log lines. At the end everything must be
// as it was. After the first sixth of the time hostile teams join, which honest visitors must hardly notice.
// `-- --minutes 60 --agents 50 --hostile 4 --seed N --report file.json`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { connect } from '../apps/server/src/db/connect.ts';
import { startPlatform } from '../apps/server/test/platform.ts';
import { endAll } from '../apps/server/test/postgres.ts';
import { untilInterrupted } from '../scripts/program.ts';
import { startOwnPostgres } from './soak/database.ts';
import { endAll as endFleet, startFleet } from './soak/fleet.ts';
import { endHostile, startHostile } from './soak/hostile.ts';
import { operations } from './soak/operations.ts';
import { readOptions } from './soak/options.ts';
import { chance } from './soak/random.ts';
import { startReaders } from './soak/readers.ts';
import { type Sample, sampler } from './soak/sample.ts';
import { comeToRest, warmUp } from './soak/settle.ts';
import { newSlot } from './soak/slot.ts';
import { type Check, compare, table } from './soak/verdict.ts';
import { startVisits } from './soak/visits.ts';

const visitsPerSecond = 60;
const operationEveryMs = 1_500;
const sampleEveryMs = 30_000;
/** Honest visitors' p99 may grow to this multiple when hostile teams join. */
const slowdownMost = 2;

const options = readOptions(process.argv.slice(2));
const interrupted = untilInterrupted();
const scratch = mkdtempSync(join(tmpdir(), 'paddock-soak-'));
let checks: Check[] = [{ promise: 'the run came to its end', holds: false, seen: 'it broke off' }];
console.log(`Soak: ${options.agents} agents and ${options.hostile} hostile teams for ${options.minutes} min, seed ${options.seed}`);
try {
  checks = await soak();
} catch (error) {
  console.error(error);
} finally {
  await endAll();
  rmSync(scratch, { recursive: true, force: true });
}
for (const { holds, promise, seen } of checks) console.log(`${holds ? '✔' : '✖'} ${promise}: ${seen}`);
const failed = checks.filter((one) => !one.holds).length;
console.log(`${checks.length - failed} passed, ${failed} failed`);
const code = failed ? 1 : 0;
process.exit(interrupted.aborted ? 130 : code); // at once: the test runner, which the harness loads, would add a summary of no tests

async function soak(): Promise<Check[]> {
  const heapFile = join(scratch, 'heap.json');
  const { postmaster } = await startOwnPostgres();
  const platform = await startPlatform(undefined, {
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'soak/heap-report.ts')).href}`,
    PADDOCK_SOAK_HEAP: heapFile,
  });
  // After an hour of floods a table has millions of rows, and vacuuming it takes minutes.
  const sql = connect(platform.databaseUrl, { max: 2, patient: true });
  try {
    const { api } = await platform.person('soak@example.com');
    const hostileTeams = await Promise.all(
      Array.from({ length: options.hostile }, async (_, index) => (await platform.person(`hostile-${index}@example.com`)).api),
    );
    const sample = sampler(platform, { sql, postmaster, heapFile });
    await warmUp(platform, api);
    await comeToRest(platform, sql);
    const start = await sample('start');

    const random = chance(options.seed);
    const slots = Array.from({ length: options.agents }, (_, index) => newSlot(index, index % 10 === 9 ? 'python' : 'node'));
    const ending = new AbortController();
    const [visiting, working] = [
      ending.signal,
      AbortSignal.any([ending.signal, interrupted, AbortSignal.timeout(options.minutes * 60_000)]),
    ];
    const fleet = startFleet(operations(platform, api, random), slots, { everyMs: operationEveryMs, chance: random, signal: working });
    const visits = startVisits(platform.gatewayPort, slots, {
      perSecond: visitsPerSecond,
      chance: chance(options.seed + 1),
      signal: visiting,
    });
    const readers = startReaders({ api, origin: platform.origin }, slots, { chance: chance(options.seed + 2), signal: visiting });
    const busy: Sample[] = [];
    const begunAt = Date.now();
    const joinAt = begunAt + options.minutes * 10_000;
    let hostile: ReturnType<typeof startHostile> | undefined;
    try {
      for (let next = Date.now() + sampleEveryMs; !working.aborted; next += sampleEveryMs) {
        await sleep(Math.max(0, next - Date.now()), undefined, { signal: working }).catch(() => 'the time is over');
        if (Date.now() >= joinAt) hostile ??= startHostile(platform, hostileTeams, { chance: chance(options.seed + 3), signal: working });
        busy.push(await sample(`load ${busy.length + 1}`, visits));
        tell(busy.at(-1)!, visits.total);
      }
      await Promise.all([fleet.done, hostile?.done]);
    } finally {
      ending.abort();
      await Promise.all([visits.done, readers.done]);
    }
    const endedAt = Date.now();
    await endFleet(api, slots);
    await endHostile(hostileTeams);
    await comeToRest(platform, sql);
    const end = await sample('end');
    const shown = [start, busy[0], busy[Math.floor(busy.length / 2)], busy.at(-1), end].filter((one) => one !== undefined);
    console.log(`\n${table([...new Set(shown)])}\n`);
    for (const what of [...visits.wrong, ...fleet.failures, ...(hostile?.failures ?? [])]) console.log(what);
    const result = [...promisesUnderLoad(), ...compare(start, busy, end)];
    if (options.report)
      writeFileSync(
        options.report,
        JSON.stringify(
          {
            options,
            samples: [start, ...busy, end],
            did: fleet.total,
            hostile: hostile?.total,
            visits: visits.total,
            readers: readers.total,
            checks: result,
          },
          null,
          2,
        ),
      );
    return result;

    function promisesUnderLoad(): Check[] {
      const { total } = visits;
      const complaints = platform
        .output()
        .split('\n')
        .filter((line) => /"level":(50|60)/.test(line));
      return [
        ...(hostile ? besideHostile(hostile) : []),
        {
          promise: 'no visitor got an answer of another agent or version',
          holds: total.wrong === 0,
          seen: `${total.wrong} of ${total.visits}`,
        },
        {
          promise: 'no visitor of an agent that serves was refused',
          holds: total.refused === 0,
          seen: `${total.refused} of ${total.visits}`,
        },
        // A stall of some seconds leaves some visits out. More would mean that the load was lower than the run claims.
        {
          promise: 'at least 99 % of the visits were sent when they were due',
          holds: total.notSent <= total.visits / 100,
          seen: `${total.notSent} were not`,
        },
        {
          promise: 'live logs have each line once, in order',
          holds: readers.total.gaps === 0 && readers.total.lines > 0,
          seen: `${readers.total.gaps} gaps in ${readers.total.lines} lines of ${readers.total.sockets} sockets`,
        },
        {
          promise: 'everything that was asked for came to its end',
          holds: fleet.failures.length === 0,
          seen: `${fleet.failures.length} failures; done: ${JSON.stringify(fleet.total)}`,
        },
        { promise: 'the server complained of no error', holds: complaints.length === 0, seen: complaints.slice(0, 3).join(' ') || 'none' },
      ];
    }

    function besideHostile({ total, failures }: ReturnType<typeof startHostile>): Check[] {
      const [quiet, beside] = [visits.p99Between(begunAt, joinAt), visits.p99Between(joinAt, endedAt)];
      return [
        {
          promise: `honest visitors' p99 is within ${slowdownMost} times of that without hostile teams`,
          holds: beside <= quiet * slowdownMost,
          seen: `${beside} ms, without them ${quiet} ms`,
        },
        {
          promise: 'every hostile deployment came to an end',
          holds: failures.length === 0,
          seen: `${failures.length} failures; done: ${JSON.stringify(total)}`,
        },
      ];
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function tell({ minute, server, gateway, heap, machine, deployments, visits, rows }: Sample, total: { wrong: number; refused: number }) {
  console.log(
    `${minute} min: server ${server.pss_mb} MB (heap ${heap?.heap_mb.toFixed(1)}) ${server.descriptors} descriptors, gateway ${gateway.pss_mb} MB ${gateway.descriptors}, ` +
      `${machine.processes} processes of agents, ${deployments.active ?? 0} active, ${rows.log_lines} lines, visits p99 ${visits?.p99_ms} ms, wrong ${total.wrong}, refused ${total.refused}`,
  );
}
