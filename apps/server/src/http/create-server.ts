import fastifyMultipart from '@fastify/multipart';
import { archiveLimits } from '@paddock/contract/limits';
import { loggedUrl } from '@paddock/contract/logged-url';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import { readBodies } from './bodies.ts';
import { capConnections, limitBodyTime } from './connections.ts';
import { sendSecurityHeaders } from './headers.ts';
import { refuseOtherMethods } from './methods.ts';
import { asApiError, sendProblem, sendProblems } from './problems.ts';
import { newRequestId } from './request-id.ts';
import { refuseAmbiguous, refuseTunnel, refuseUnreadable } from './strict.ts';

/** The HTTP server without routes: limits, refusals, headers and the request log. */
export async function createHttpServer(config: Pick<Config, 'publicUrl' | 'trustedProxies'>, log: Log): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    trustProxy: config.trustedProxies.length ? config.trustedProxies : false,
    bodyLimit: 1024 * 1024,
    requestTimeout: 15 * 60_000, // time for a whole upload over a slow line; an idle upload is cut much earlier
    connectionTimeout: 120_000, // longer than any wait of ours: only a client that neither sends nor reads is silent for so long
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    http: { headersTimeout: 10_000, maxHeaderSize: 16 * 1024 },
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, newRequestId()),
    // Errors of malformed addresses do not reach the error handler.
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, asApiError(error)),
  });
  readBodies(app);
  sendProblems(app);
  refuseAmbiguous(app);
  app.server.on('connect', (_, socket) => refuseTunnel(socket, newRequestId()));
  capConnections(app.server, config.trustedProxies);
  limitBodyTime(app);
  sendSecurityHeaders(app, config.publicUrl);
  refuseOtherMethods(app);
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        request_id: request.id,
        method: request.method,
        url: loggedUrl(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
  await app.register(fastifyMultipart, { limits: { fileSize: archiveLimits.zipBytes + 1 } });
  return app;
}
