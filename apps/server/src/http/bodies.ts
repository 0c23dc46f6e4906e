import type { FastifyInstance } from 'fastify';

/** JSON and forms, nothing else. No bytes are no body, whatever type they are said to be: generated clients name one with every call. */
export function readBodies(app: FastifyInstance) {
  app.removeContentTypeParser('text/plain'); // a page of another origin can send that without asking first
  app.removeContentTypeParser('application/json');
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body, done);
  });
}
