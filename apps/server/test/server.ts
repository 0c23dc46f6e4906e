import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiRequest, type Client, createClient } from '@paddock/client';
import { streamLines } from '@paddock/client/stream-lines';
import { ApiError, contract, type ErrorCode, type Problem } from '@paddock/contract';
import { type AppParts, createApp } from '../src/app.ts';
import { type OAuthSettings, readConfig } from '../src/config/config.ts';
import { buildCore, type Core } from '../src/core.ts';
import { listenForChanges } from '../src/db/changes.ts';
import { connect, type Sql } from '../src/db/connect.ts';
import { noReserve } from '../src/disk/reserve.ts';
import { makePartitions } from '../src/features/logs/retention.ts';
import { blobsOf, buildFeatures, type Deps as FeaturesAround } from '../src/features.ts';
import { createLog, type Log } from '../src/log.ts';
import type { StripeSettings } from '../src/payments/settings.ts';
import { loadSeal } from '../src/secrets/seal.ts';
import { watchErrors } from './declared-errors.ts';
import { mailReader } from './mails.ts';
import { testDatabase } from './postgres.ts';

export type Api = Client<typeof contract>;
const root = join(import.meta.dirname, '../../..');

/** Logged errors of failed requests on this process's servers, by request id: a failing test prints them as the cause. */
const causes = new Map<string, string>();
const causesMost = 100;
const failures = {
  write(line: string) {
    const { reqId, err } = JSON.parse(line) as { reqId?: string; err?: { stack?: string } };
    if (reqId === undefined || err === undefined) return;
    causes.set(reqId, err.stack ?? line);
    if (causes.size > causesMost) causes.delete(causes.keys().next().value ?? '');
  },
};

/** The lowest cost that argon2 accepts: most tests do not test passwords, and a hash with the product's cost takes 14 ms of a core. */
const CHEAP_PASSWORDS = { memoryCost: 8, timeCost: 1 };

interface Deps
  extends Partial<
    Pick<FeaturesAround, 'attempts' | 'passwordCost' | 'oauthAttempts' | 'resolveTargets' | 'controls' | 'controlMs' | 'billing'> &
      Pick<Core, 'available'> &
      Pick<AppParts, 'consoleDir'>
  > {
  oauth?: OAuthSettings;
  stripe?: StripeSettings;
  metricsToken?: string;
  /** The port of the gateway, or of its replacement. */
  gatewayPort?: number;
  /** Seller and tax rate. */
  seller?: Core['config']['billing'];
  /** PADDOCK_EGRESS_ALLOW. */
  egressAllow?: string[];
  /** PADDOCK_AUDIT_RETENTION_DAYS and PADDOCK_AUDIT_WEBHOOK_URL. */
  audit?: { retentionDays: number; webhookUrl: string };
  /** PADDOCK_LOCKOUT_MINUTES, in seconds. */
  lockSeconds?: number;
  /** PADDOCK_PLAN_LIMITS=enforce. */
  plansBind?: boolean;
  log?: Log;
  /** Replaces the copy of the template; it must be migrated. */
  database?: Awaited<ReturnType<typeof testDatabase>>;
}

/**
 * The API on a copy of the template database, on a free port, until the test ends (or the file, with `{ after: atEnd }`). Nothing is built or run.
 */
export async function startApi(
  t: { after: (close: () => Promise<unknown>) => unknown },
  {
    oauth = {},
    stripe,
    metricsToken,
    gatewayPort = 4001,
    log: ownLog = createLog('error', failures),
    database: given,
    available,
    consoleDir,
    egressAllow = [],
    seller = { seller: { name: 'Paddock', address: [], email: '', tax_id: '' }, tax: { basis_points: 0, label: 'VAT' } },
    audit,
    lockSeconds = 900,
    plansBind = false,
    passwordCost = CHEAP_PASSWORDS,
    ...attempts
  }: Deps = {},
) {
  const database = given ?? (await testDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'paddock-test-'));
  const sql = connect(database.url, { max: 5 });
  const closing: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true }), () => database.drop(), () => sql.end()];
  t.after(async () => {
    for (const close of closing.reverse()) await close();
  });
  await makePartitions(sql);
  const seal = loadSeal(dataDir, undefined);
  const publicUrl = 'http://localhost:4000';
  const serveWith = async (sql: Sql, log: Log, ownStripe: Deps['stripe'] | null = stripe ?? null) => {
    const changes = await listenForChanges(sql);
    const probeSql = connect(database.url, { max: 1, name: 'paddock-health' });
    closing.push(() => probeSql.end({ timeout: 1 }));
    const config: Core['config'] = Object.freeze({
      ...readConfig({ PADDOCK_DATA_DIR: dataDir, PATH: process.env.PATH }),
      publicUrl,
      agentUrl: (label: string) => `http://${label}.localhost:4001`,
      host: '127.0.0.1',
      gatewayPort,
      oauth,
      stripe: ownStripe ?? undefined,
      egressAllow,
      metricsToken,
      auditRetentionDays: audit?.retentionDays ?? 90,
      lockSeconds,
      auditWebhookUrl: audit?.webhookUrl,
      plansBind,
      billing: seller,
    });
    const parts = buildCore({
      config,
      sql,
      databaseUrl: database.url,
      changes,
      seal,
      reserve: noReserve,
      log,
      available: available ?? (async () => ({ ok: true, version: 'test' })),
      services: [],
    });
    const blobs = blobsOf(config);
    const describe = () => ({ version: 'test', isolated: true, runtime_problem: null, agent_domain: 'localhost' });
    const features = buildFeatures(parts, { blobs, describe, examplesDir: join(root, 'examples'), passwordCost, ...attempts });
    const app = await createApp({
      core: parts,
      features,
      blobs,
      probeSql,
      version: 'test',
      consoleDir: consoleDir ?? join(dataDir, 'none'),
    });
    const checkErrors = watchErrors(app);
    await app.listen({ port: 0, host: '127.0.0.1' });
    closing.push(
      () => changes.close(),
      () => app.close(),
    );
    closing.unshift(async () => checkErrors()); // runs last, since it may fail
    return { app, changes, features, origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` };
  };
  const { app, changes, features, origin } = await serveWith(sql, ownLog);
  /**
   * Another server of the same installation, with its own connections; `through` wraps its database client, `stripe` replaces the provider's
   * settings, null disables it.
   */
  const beside = async ({
    through = (own: Sql) => own,
    log = createLog('error', failures),
    stripe: otherStripe = stripe ?? null,
  }: {
    through?: (own: Sql) => Sql;
    log?: Log;
    stripe?: Deps['stripe'] | null;
  } = {}) => {
    const own = connect(database.url, { max: 5 });
    closing.push(() => own.end());
    return serveWith(through(own), log, otherStripe);
  };
  let people = 0;
  /** A new person, signed in. */
  const person = async () => {
    const email = `ada${++people}@example.com`;
    const anonymous = apiOf(origin);
    await anonymous.accounts.signup({ email, password: 'correct horse battery', name: 'Ada' });
    const { token } = await anonymous.accounts.login({ email, password: 'correct horse battery' });
    return { api: apiOf(origin, token), token, email };
  };
  return {
    origin,
    databaseUrl: database.url,
    sql,
    changes,
    seal,
    app,
    features,
    beside,
    dataDir,
    person,
    anonymous: apiOf(origin),
    /** The queued mails for an address, the oldest first: nothing here sends them. Requests for a new password are processed first. */
    mailsTo: mailReader(sql, seal, publicUrl),
  };
}

/** The typed API over real HTTP. */
export function apiOf(origin: string, token?: string): Api {
  return createClient(contract, async (request, options) => {
    const response = await fetch(`${origin}/api/v1${request.url}`, {
      method: request.method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(options.idempotency_key ? { 'idempotency-key': options.idempotency_key } : {}),
        ...(options.if_match ? { 'if-match': options.if_match } : {}),
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...bodyOf(request),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    if (response.status === 204) return null;
    if (request.download && response.ok) return request.download === 'bytes' ? response.bytes() : response.text();
    if (request.stream && response.ok) return streamLines(response.body!, options.signal);
    const json = await response.json();
    if (response.ok) return json;
    const { code, detail, errors, request_id } = json as Problem & { code: ErrorCode };
    const cause = causes.get(request_id ?? '');
    throw new ApiError(code, { detail, ...(errors ? { errors } : {}), ...(request_id ? { request_id } : {}), ...(cause ? { cause } : {}) });
  });
}

function bodyOf({ body, form }: ApiRequest): { body?: string | FormData } {
  if (!form) return body === undefined ? {} : { body: JSON.stringify(body) };
  const data = new FormData();
  for (const [name, value] of Object.entries(form.fields)) if (value !== undefined) data.set(name, String(value));
  data.set(form.file_field, form.file, form.file_name);
  return { body: data };
}
