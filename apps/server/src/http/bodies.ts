import type { FastifyInstance } from 'fastify';

/** Reads JSON and forms, nothing else. A body of no bytes is no body, whatever its type: generated clients send a type with every call. */
export function readBodies(app: FastifyInstance) {
  app.removeContentTypeParser('text/plain'); // a page of another origin can send that without asking first
  app.removeContentTypeParser('application/json');
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body, done);
  });
}
