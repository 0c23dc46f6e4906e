import { ApiError } from '@paddock/contract';
import type { FastifyRequest } from 'fastify';
import { withDeadline } from '../http/deadline.ts';
import type { RouteSet } from '../http/serve.ts';
import type { Log } from '../log.ts';
import { type PaymentProvider, PaymentRefused, PaymentUnavailable, type WebhookEvent, WebhookRefused } from './provider.ts';

/** Events have some ten kilobytes. */
const maxBytes = 256 * 1024;

interface Deps {
  provider: PaymentProvider;
  /** Polls the provider for the state. May run twice for the same event, and in any order. */
  onEvent: (hint: WebhookEvent) => Promise<void>;
  log: Log;
  now?: () => Date;
}

/**
 * `POST /api/v1/billing/webhooks/stripe`. Not a call of the API: Stripe sends events here, and authenticates by its signature over the raw bytes.
 * The response is sent once the event was processed; otherwise Stripe repeats it, for days. Without Stripe this path does not exist.
 */
export const webhookRoutes =
  ({ provider, onEvent, log, now = () => new Date() }: Deps): RouteSet =>
  (app) => {
    if (provider.name !== 'stripe') return;
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      scope.post('/api/v1/billing/webhooks/stripe', { bodyLimit: maxBytes }, async (request, reply) => {
        await withDeadline(take(request).catch(asProblem));
        return reply.send({ received: true });
      });
    });

    async function take({ body, headers, id }: FastifyRequest): Promise<void> {
      const signature = headers['stripe-signature'];
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const hint = await provider.hint(bytes, { signature: typeof signature === 'string' ? signature : undefined }, now());
      if (hint.about === 'nothing') return;
      await onEvent(hint).catch((error: unknown) => {
        if (!(error instanceof PaymentRefused)) throw error;
        // For example, the card was replaced meanwhile: a repeat of the event would not help.
        log.info({ request_id: id, event: hint.id, reason: error.message }, 'payment provider event had no effect');
      });
    }
  };

function asProblem(error: unknown): never {
  if (error instanceof WebhookRefused) throw new ApiError('webhook_refused', { detail: error.message, cause: error });
  if (error instanceof PaymentUnavailable) throw new ApiError('payment_provider_unavailable', { cause: error });
  throw error;
}
