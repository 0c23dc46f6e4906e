import type { FastifyInstance } from 'fastify';

/** Parses JSON and forms, nothing else. An empty body counts as no body, whatever its type: generated clients send a type with every call. */
export function readBodies(app: FastifyInstance) {
  app.removeContentTypeParser('text/plain'); // a page of another origin can send that without a preflight
  app.removeContentTypeParser('application/json');
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body, done);
  });
}
