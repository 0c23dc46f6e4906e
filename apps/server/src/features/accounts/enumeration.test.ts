import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startApi } from '../../../test/server.ts';
import { attemptLimits } from './attempt-limits.ts';
import { passwordCost, passwords } from './passwords.ts';

const password = 'correct horse battery';
/** Maximum difference of the median response times for known and unknown addresses. */
const boundMs = 5;
/**
 * On a busy machine statements and their answers wait for a processor, and a sign-up makes more of them. A hash that is skipped for one of the
 * two waits as well, and is told by at least this share of a hash's median time, measured beside the requests.
 */
const hashShare = 0.5;
/** Numbers of pairs to measure. Noise of a busy machine affects small samples; a difference in the largest is caused by the code. */
const rounds = [40, 60, 100];
/** Number of standard errors of the median that other work on the machine may explain. */
const maxErrors = 4;

const manyAttempts = Object.fromEntries(Object.keys(attemptLimits).map((name) => [name, 100_000])) as unknown as typeof attemptLimits;

interface Answer {
  ms: number;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Alternates requests about a known and an unknown address, and checks that neither responses nor timing distinguish them. */
async function cannotTell(known: () => Promise<Answer>, unknown: () => Promise<Answer>): Promise<number> {
  const differences: number[] = [];
  const hashes: number[] = [];
  const { hash } = passwords(passwordCost);
  await Promise.all([known(), unknown(), hash(password)]); // warms up lazily loaded modules
  for (const pairs of rounds) {
    for (let pair = 0; pair < pairs; pair++) {
      const first = pair % 2 ? known : unknown;
      const answers = [await first(), await (pair % 2 ? unknown : known)()];
      const [one, other] = pair % 2 ? answers : answers.toReversed();
      assert.deepEqual({ ...one!, ms: 0 }, { ...other!, ms: 0 });
      differences.push(one!.ms - other!.ms);
      const begun = performance.now();
      await hash(password);
      hashes.push(performance.now() - begun);
    }
    const { middle, error } = median(differences);
    if (Math.abs(middle) < Math.max(boundMs, hashShare * median(hashes).middle, maxErrors * error)) return middle;
  }
  const sorted = differences.toSorted((a, b) => a - b).map((ms) => ms.toFixed(1));
  throw assert.fail(
    `known ones take ${sorted[Math.floor(sorted.length / 2)]} ms more in the middle of ${sorted.length} pairs: ${sorted.join(' ')}`,
  );
}

/** The median with its standard error, estimated from the interquartile range (1.349 standard deviations of a normal distribution). */
function median(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!;
  const deviation = (at(0.75) - at(0.25)) / 1.349;
  return { middle: at(0.5), error: (1.253 * deviation) / Math.sqrt(sorted.length) };
}

/** A server with people of each kind, and a function that returns its responses. Ids, dates and the caller's own input are masked. */
async function world(t: TestContext) {
  const { origin, sql, anonymous } = await startApi(t, { attempts: manyAttempts, passwordCost });
  const people = ['unverified@example.com', 'byprovider@example.com', 'isverified@example.com'];
  for (const email of people) await anonymous.accounts.signup({ email, password, name: 'Ada' });
  await sql`update users set password_hash = null, email_verified = true where email = ${people[1]!}`;
  await sql`update users set email_verified = true where email = ${people[2]!}`;
  const ask = async (path: string, sent: { email: string; [more: string]: unknown }, cookie?: string): Promise<Answer> => {
    const begun = performance.now();
    const answer = await fetch(`${origin}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie ? { cookie } : {}) },
      body: JSON.stringify(sent),
    });
    const text = await answer.text();
    const ms = performance.now() - begun;
    const { date: _, 'x-request-id': __, ...headers } = Object.fromEntries(answer.headers);
    const masked = text.replace(/(usr|req)_[0-9a-f-]{36}/g, '(id)').replaceAll(sent.email, '(address)');
    return { ms, status: answer.status, headers, body: masked };
  };
  let turn = 0;
  return {
    sql,
    ask,
    /** Alternates an unverified, a passwordless and a verified account; addresses have the same length. */
    known: () => people[turn++ % people.length]!,
    unknown: () => `${String(turn++).padStart(10, 'u')}@example.com`,
  };
}

test('a failed sign-in tells neither by its answer nor by its time whether there is such an account', async (t) => {
  const { ask, known, unknown } = await world(t);
  const login = (email: string) => ask('login', { email, password: 'wrong horse' });
  t.diagnostic(
    `${await cannotTell(
      () => login(known()),
      () => login(unknown()),
    )} ms`,
  );
});

test('nor does one with a device token that was made up', async (t) => {
  const { ask, known, unknown } = await world(t);
  const login = (email: string) => ask('login', { email, password: 'wrong horse' }, `paddock_device=${'A'.repeat(43)}.${'B'.repeat(43)}`);
  t.diagnostic(
    `${await cannotTell(
      () => login(known()),
      () => login(unknown()),
    )} ms`,
  );
});

test('nor does a sign-up', async (t) => {
  const { ask, known, unknown } = await world(t);
  const signup = (email: string) => ask('signup', { email, password, name: 'Ada' });
  t.diagnostic(
    `${await cannotTell(
      () => signup(known()),
      () => signup(unknown()),
    )} ms`,
  );
});

test('nor does asking for a new password', async (t) => {
  const { ask, known, unknown, sql } = await world(t);
  const forgot = (email: string) => ask('forgot-password', { email });
  t.diagnostic(
    `${await cannotTell(
      () => forgot(known()),
      () => forgot(unknown()),
    )} ms`,
  );
  const made = await sql`select 1 from mails where template = 'reset-password'`;
  assert.equal(made.length, 0, 'whether there is an account is looked up only after the answer');
});
