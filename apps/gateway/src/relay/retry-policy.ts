import type { Limits } from '../limits.ts';
import type { ResponseCode } from '../pages/own-responses.ts';
import { pageFor } from '../pages/pages.ts';
import type { Route } from '../routes/route.ts';
import type { FailureKind } from '../upstream/pool.ts';

/** Methods of requests that may be sent twice without harm. */
export const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'SEARCH', 'REPORT', 'QUERY']);

export interface FailedAttempt {
  /** For 'unreachable' and 'busy' no byte was sent. */
  kind: FailureKind;
  tried: number;
  /** The connection had served other requests before. */
  wasKept: boolean;
  /** The request may be sent twice without harm. */
  mayRepeat: boolean;
  route: Route;
}

const tries = 3;

/**
 * Decides after an attempt without a byte of a response: another attempt, or the response that the visitor gets instead.
 * It is retried if nothing was sent yet, or if the request may be sent twice and the agent had merely closed a
 * kept connection or been replaced by the next instance.
 */
export function decideRetry(
  failed: FailedAttempt,
  now: Route | undefined,
  limits: Limits,
): { route: Route; waitMs: number } | ResponseCode {
  if (failed.kind === 'busy') return 'agent_busy';
  const wasSent = failed.kind === 'broken';
  const hasMoved = now?.version !== failed.route.version;
  const isAllowed = wasSent ? failed.mayRepeat && (failed.wasKept || hasMoved) : true;
  if (failed.tried >= tries || !isAllowed) return wasSent ? 'agent_answer_broken' : 'agent_unreachable';
  if (!now?.target || !now.deployment_id) return pageFor(now);
  // Nothing listens at the target: a restart is often almost complete.
  return { route: now, waitMs: wasSent || hasMoved ? 0 : limits.upstreamRetryMs };
}
