import type { Stripe } from 'stripe';
import type { Log } from '../../log.ts';
import { PaymentRefused, PaymentUnavailable } from '../provider.ts';
import { withinBudget } from './bounded-fetch.ts';

/** An error of Stripe's library, recognised by the one property that all of them share. */
export const isStripeError = (error: unknown): error is Stripe.errors.StripeError =>
  typeof (error as { type?: unknown } | null)?.type === 'string' && (error as { type: string }).type.startsWith('Stripe');

/** The request itself is invalid: a retry is useless. */
export const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  isStripeError(error) && error.type === 'StripeInvalidRequestError' && error.code !== 'lock_timeout';

/** An error inside Stripe, which returns the same response for the same key. */
export const isFailure = (error: unknown): boolean =>
  isStripeError(error) && error.type === 'StripeAPIError' && (error.statusCode ?? 0) >= 500;

export const isCode = (error: unknown, code: string): boolean => isStripeError(error) && error.code === code;

const isKeyRefused = ({ type }: Stripe.errors.StripeError) => type === 'StripeAuthenticationError' || type === 'StripePermissionError';

export type MapErrors = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs a call with a time budget, and converts Stripe's errors to `PaymentRefused` with a sentence for the person, or to
 * `PaymentUnavailable`. Nothing else of Stripe's error is passed on, since its responses name customers and contain secrets of payments.
 */
export function createErrorMapper(log: Log): MapErrors {
  let isTold = false;
  return async (work) => {
    try {
      const result = await withinBudget(work);
      isTold = false;
      return result;
    } catch (error) {
      if (!isStripeError(error)) throw error;
      const { type, code, statusCode, requestId } = error;
      if (type === 'StripeCardError' || isRefusal(error)) throw new PaymentRefused(sentenceOf(error));
      // Logged once until the key is accepted again: otherwise each payment and each poll would repeat it.
      if (isKeyRefused(error) && !isTold) {
        isTold = true;
        log.error(
          { status: statusCode, code, stripe_request: requestId },
          'Stripe refuses the key in PADDOCK_STRIPE_SECRET_KEY: nothing is paid',
        );
      }
      throw new PaymentUnavailable(['Stripe does not answer as it should:', type, code, statusCode, requestId].filter(Boolean).join(' '));
    }
  };
}

/** Stripe's message, truncated: it is displayed and stored. */
export const sentenceOf = ({ message }: { message?: string | undefined }): string => message?.slice(0, 300) || 'Your card was declined.';
