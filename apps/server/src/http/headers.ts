import type { FastifyInstance } from 'fastify';

const consolePolicy = (formAction: string) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self' ws: wss:",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
const ownForms = consolePolicy("'self'");
// The login page of the command line tool posts the new key to the tool, which listens on the person's own machine.
const loopbackForms = consolePolicy("'self' http://127.0.0.1:* http://localhost:*");
// A policy cannot name an IPv6 address; the page itself allows no other one.
const ipv6Forms = consolePolicy("'self' http:");

/** Security headers on every response; API responses are never cached. */
export function sendSecurityHeaders(app: FastifyInstance, publicUrl: string) {
  const tls = publicUrl.startsWith('https:');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': consolePolicyFor(request.url),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      'x-request-id': request.id,
      ...(tls ? { 'strict-transport-security': 'max-age=31536000' } : {}),
      ...(request.url.startsWith('/api/') ? { 'cache-control': 'no-store' } : {}),
    });
  });
}

function consolePolicyFor(url: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  if (!/^\/login\/*$/i.test(path)) return ownForms; // as the console's router reads addresses
  return new URLSearchParams(query).get('callback')?.startsWith('http://[::1]:') ? ipv6Forms : loopbackForms;
}
