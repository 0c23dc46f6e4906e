import proxyAddr from '@fastify/proxy-addr';
import { providers } from '@paddock/contract';
import { archiveLimits } from '@paddock/contract/limits';
import { createAudit } from './audit/audit.ts';
import type { Blobs } from './blobs/blobs.ts';
import type { Core } from './core.ts';
import type { Sql } from './db/connect.ts';
import { logFeed } from './features/logs/feed.ts';
import { serveLiveLogs } from './features/logs/socket.ts';
import type { Features } from './features.ts';
import { admitBy, authenticateBy } from './http/authenticate.ts';
import { createHttpServer } from './http/create-server.ts';
import { deviceCookie } from './http/device-cookie.ts';
import { serveHealth } from './http/health.ts';
import { idempotency } from './http/idempotency.ts';
import { servePages } from './http/pages.ts';
import type { ServeDeps } from './http/serve.ts';
import { serveMcp } from './mcp/serve-mcp.ts';
import { isGone, processIdentity } from './process/process-identity.ts';

export interface AppParts {
  core: Core;
  features: Features;
  blobs: Blobs;
  /** A connection only for health probes, so that probes do not wait for busy or hanging calls. */
  probeSql: Sql;
  version: string;
  consoleDir: string;
}

/** The HTTP server: the features' calls, health, pages and live logs. */
export async function createApp({ core, features, blobs, probeSql, version, consoleDir }: AppParts) {
  const { config, sql, seal, reserve, changes, log } = core;
  const app = await createHttpServer(config, log);
  app.addHook('onResponse', async ({ method, routeOptions }, reply) =>
    core.requests.note({ method, route: routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime }),
  );
  const { accounts, apiKeys, deployments, policies } = features;
  const admit = admitBy(accounts.exports.findSession, apiKeys.exports.use, policies.exports.admit);
  const logs = features.logs.exports;
  const audit = createAudit(sql, reserve, log);
  app.addHook('onClose', () => audit.close());
  const doors: ServeDeps = {
    audit,
    authenticate: authenticateBy(admit),
    deviceCookie: deviceCookie(config.publicUrl),
    withRoom: (work) => reserve.withRoom('removal', work),
    idempotency: idempotency({ sql, fingerprint: seal.fingerprint, owner: processIdentity(), isGone }),
    receiveBlob: (stream) => blobs.receive(stream, archiveLimits.zipBytes),
    async dropUpload(id) {
      const inUse = await deployments.exports.blobsInUse([id]);
      if (!inUse.has(id)) await blobs.remove(id);
    },
  };
  for (const { routes } of Object.values(features)) for (const bind of routes) bind(app, doors);
  serveHealth(app, probeSql, log);
  serveMcp(app, { version });
  servePages(app, {
    consoleDir,
    version,
    publicUrl: config.publicUrl,
    providers: providers.filter((each) => config.oauth[each]),
  });

  const feed = logFeed({ store: logs, changes, log });
  const isTrusted = proxyAddr.compile(config.trustedProxies);
  const live = serveLiveLogs(app.server, {
    store: logs,
    feed,
    admit,
    audit,
    addressOf: (request) => proxyAddr(request, isTrusted),
    publicUrl: config.publicUrl,
    log,
  });
  app.addHook('onClose', () => features.compliance.exports.close());
  app.addHook('preClose', async () => {
    live.close();
    feed.close();
    // Without this the server would wait for the timeout of each connection that becomes idle after its last response.
    const idle = setInterval(() => app.server.closeIdleConnections(), 100);
    app.server.once('close', () => clearInterval(idle));
    changes.wakeAll(); // calls that wait for a change are answered now; their callers retry at another server
  });
  return app;
}
