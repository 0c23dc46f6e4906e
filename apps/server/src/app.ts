import proxyAddr from '@fastify/proxy-addr';
import { providers, type System } from '@paddock/contract';
import { archiveLimits } from '@paddock/contract/limits';
import type { DatabaseDriver } from '@paddock/database-driver';
import { type Blobs, fileBlobs } from './blobs/blobs.ts';
import type { Config } from './config.ts';
import { databaseApi } from './databases.ts';
import type { Changes } from './db/changes.ts';
import type { Sql } from './db/connect.ts';
import { noReserve, type Reserve } from './disk/reserve.ts';
import { deviceTokens } from './features/accounts/device-tokens.ts';
import { linkStore } from './features/accounts/link-store.ts';
import { passwords } from './features/accounts/passwords.ts';
import { profileRoutes } from './features/accounts/profile-routes.ts';
import { profileStore } from './features/accounts/profile-store.ts';
import { providerAccounts } from './features/accounts/provider-accounts.ts';
import { reauthentication } from './features/accounts/reauthenticate.ts';
import { type FirstProof, recoveryHandlers } from './features/accounts/recovery-routes.ts';
import { resetRequests } from './features/accounts/reset-requests.ts';
import { type AttemptLimits, accountRoutes, attemptLimits } from './features/accounts/routes.ts';
import { sessionOpener } from './features/accounts/sessions.ts';
import { signUp } from './features/accounts/sign-up.ts';
import { accountStore } from './features/accounts/store.ts';
import { tokenHash } from './features/accounts/tokens.ts';
import { secondFactor as secondFactors } from './features/accounts/two-factor.ts';
import { twoFactorRoutes } from './features/accounts/two-factor-routes.ts';
import { twoFactorStore } from './features/accounts/two-factor-store.ts';
import { alertRoutes } from './features/alerts/routes.ts';
import { alertStore } from './features/alerts/store.ts';
import { isWellFormed, keyHash } from './features/api-keys/key-form.ts';
import { apiKeyRoutes } from './features/api-keys/routes.ts';
import { apiKeyStore } from './features/api-keys/store.ts';
import { databaseProblems } from './features/databases/availability.ts';
import { removeAddresses } from './features/deployments/addresses.ts';
import { deployAgain } from './features/deployments/again.ts';
import { deploymentRoutes } from './features/deployments/routes.ts';
import { sampleArchives } from './features/deployments/samples.ts';
import { deploymentStore } from './features/deployments/store.ts';
import { transitions } from './features/deployments/transitions.ts';
import { logFeed } from './features/logs/feed.ts';
import { logRoutes } from './features/logs/routes.ts';
import { serveLiveLogs } from './features/logs/socket.ts';
import { logStore } from './features/logs/store.ts';
import { oauthClients } from './features/oauth/clients.ts';
import { type OAuthLimits, oauthLimits, oauthRoutes } from './features/oauth/routes.ts';
import { waysIn } from './features/oauth/sign-in.ts';
import { oauthStates } from './features/oauth/states.ts';
import { identityStore } from './features/oauth/store.ts';
import { projectRoutes } from './features/projects/routes.ts';
import { projectStore } from './features/projects/store.ts';
import { systemRoutes } from './features/system/routes.ts';
import { variableRoutes } from './features/variables/routes.ts';
import { variableStore } from './features/variables/store.ts';
import { admitBy, authenticateBy, type FindSession, type UseKey } from './http/authenticate.ts';
import { createHttpServer } from './http/create-server.ts';
import { deviceCookie } from './http/device-cookie.ts';
import { serveHealth } from './http/health.ts';
import { idempotency } from './http/idempotency.ts';
import { servePages } from './http/pages.ts';
import { rateLimit } from './http/rate-limit.ts';
import type { Doors } from './http/serve.ts';
import type { Log } from './log.ts';
import { mailQueue } from './mail/queue.ts';
import { isGone, processIdentity } from './process-identity.ts';
import type { Seal } from './secrets/seal.ts';

export interface AppParts {
  config: Pick<Config, 'blob_dir' | 'public_url' | 'agent_url' | 'trusted_proxies' | 'oauth' | 'data_dir' | 'egress_allow' | 'path'>;
  sql: Sql;
  /** A connection for health probes alone: neither busy calls nor ones that hang stand before them. */
  probeSql: Sql;
  changes: Changes;
  seal: Seal;
  /** Space for what must be done on a full disk; none where it is left out. */
  reserve?: Reserve;
  log: Log;
  describe: () => Omit<System, 'database_problems'>;
  /** Whether managed databases of a type can be had here. */
  available: DatabaseDriver['available'];
  /** Where the platform's own services answer, its database for one. */
  services: { host?: string; port: number }[];
  version: string;
  consoleDir: string;
  examplesDir: string;
  attempts?: AttemptLimits;
  oauthAttempts?: OAuthLimits;
}

export const blobsOf = ({ blob_dir }: Pick<Config, 'blob_dir'>): Blobs => fileBlobs(blob_dir);

/** The composition root of the API: every feature is built and connected here, nowhere else. */
export async function createApp({
  config,
  sql,
  probeSql,
  changes,
  seal,
  reserve = noReserve,
  log,
  describe,
  available,
  services,
  version,
  consoleDir,
  examplesDir,
  attempts = attemptLimits,
  oauthAttempts = oauthLimits,
}: AppParts) {
  const app = await createHttpServer(config, log);
  const blobs = blobsOf(config);
  const accounts = accountStore(sql);
  const sendMail = mailQueue(sql, seal);
  const [links, hasher, limit] = [linkStore(sql), passwords(), rateLimit(sql)];
  const devices = deviceTokens(sql);
  const openSession = sessionOpener(accounts, devices, sendMail);
  const identities = identityStore(sql);
  const logs = logStore(sql);
  const used = transitions(sql, 'api', '').blobsInUse;
  const findSession: FindSession = (token, from) => accounts.session(tokenHash(token), from);
  const keys = apiKeyStore(sql);
  const useKey: UseKey = async (key, ip) => (isWellFormed(key) ? reserve.withRoom('note', () => keys.use(keyHash(key), ip)) : undefined);
  const admit = admitBy(findSession, useKey);
  const doors: Doors = {
    authenticate: authenticateBy(admit),
    deviceCookie: deviceCookie(config.public_url),
    withRoom: (work) => reserve.withRoom('removal', work),
    idempotency: idempotency(sql, seal.fingerprint, processIdentity(), isGone),
    receiveBlob: (stream) => blobs.receive(stream, archiveLimits.zip_bytes),
    dropUpload: async (id) => void ((await used([id])).has(id) || (await blobs.remove(id))),
  };
  const projects = projectStore(sql, removeAddresses);
  const deployments = deploymentStore(sql);
  const alerts = alertStore(sql, sendMail);
  const databases = databaseApi({ config, sql, alerts, changes, seal, limit, available, services });
  const secondFactor = secondFactors(twoFactorStore(sql), seal, limit, devices.knownAs);
  const profiles = profileStore(sql, links);
  const reauthenticate = reauthentication(profiles, hasher, limit);
  // What a stranger may have planted in an account that was made with somebody else's address; void once its owner proves it.
  const onFirstProof: FirstProof[] = [identities.removeAll, keys.revokeAllOf, secondFactor.forget];
  const features = [
    accountRoutes({
      store: accounts,
      passwords: hasher,
      openSession,
      secondFactor,
      signUp: signUp(sql, accounts, links, sendMail),
      recovery: recoveryHandlers({
        sql,
        store: accounts,
        links,
        requests: resetRequests(sql),
        devices,
        hash: hasher.hash,
        sendMail,
        onFirstProof,
        limit,
        most: attempts,
      }),
      devices,
      limit,
      most: attempts,
    }),
    oauthRoutes({
      clients: oauthClients(config.oauth, config.public_url, log),
      states: oauthStates(sql, seal),
      ways: waysIn(identities, providerAccounts(accounts, links, sendMail, limit, attempts.signups), sendMail),
      limit,
      most: oauthAttempts,
      openSession,
      secondFactor,
      reauthenticate,
    }),
    profileRoutes({
      store: profiles,
      accounts,
      passwords: hasher,
      reauthenticate,
      devices,
      sendMail,
      limit,
      most: attempts,
      endProjects: projects.deleteAll,
    }),
    twoFactorRoutes({ secondFactor, reauthenticate, sendMail }),
    projectRoutes(projects, config.agent_url),
    variableRoutes(variableStore(sql, seal)),
    deploymentRoutes({
      store: deployments,
      again: deployAgain({ store: deployments, seal, attachDatabases: databases.attach, blobExists: blobs.exists }),
      attachDatabases: databases.attach,
      agentUrl: config.agent_url,
      storeSample: sampleArchives(examplesDir, blobs),
      looksLikeZip: async (id) => /^PK(\x03\x04|\x05\x06)/.test((await blobs.head(id, 4)).toString('latin1')),
    }),
    databases.feature,
    alertRoutes(alerts),
    logRoutes(logs),
    apiKeyRoutes(keys, sendMail),
    systemRoutes(sql, changes, async () => ({ ...describe(), database_problems: await databaseProblems(available) })),
  ];
  for (const feature of features) feature(app, doors);
  serveHealth(app, probeSql, log);
  servePages(app, {
    consoleDir,
    version,
    publicUrl: config.public_url,
    providers: providers.filter((each) => config.oauth[each]),
  });

  const feed = logFeed(logs, changes, log);
  const isTrusted = proxyAddr.compile(config.trusted_proxies);
  const live = serveLiveLogs(app.server, {
    store: logs,
    feed,
    admit,
    addressOf: (request) => proxyAddr(request, isTrusted),
    publicUrl: config.public_url,
    log,
  });
  app.addHook('preClose', async () => {
    live.close();
    feed.close();
    // A connection that falls idle after its last answer would otherwise be waited for until its time-out.
    const idle = setInterval(() => app.server.closeIdleConnections(), 100);
    app.server.once('close', () => clearInterval(idle));
    changes.wakeAll(); // whoever waits for a change is answered now, and asks again elsewhere
  });
  return app;
}
