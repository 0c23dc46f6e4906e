import type { Limits } from '../limits.ts';
import type { ResponseCode } from '../pages/own-responses.ts';
import { pageFor } from '../pages/pages.ts';
import type { Route } from '../routes/route.ts';
import type { FailureKind } from '../upstream/pool.ts';

/** Methods of requests that are safe to send twice. */
export const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'SEARCH', 'REPORT', 'QUERY']);

export interface FailedAttempt {
  /** With 'unreachable' and 'busy' not a byte was sent. */
  kind: FailureKind;
  tried: number;
  /** Whether the connection had served other requests before. */
  wasKept: boolean;
  /** Whether the request is safe to send twice. */
  mayRepeat: boolean;
  route: Route;
}

const tries = 3;

/**
 * Decides what follows an attempt without any byte of a response: another attempt, or an error response.
 * The request is retried if nothing was sent, or if it is safe to send twice and the agent had merely closed a
 * kept-alive connection or been replaced by the next instance.
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
  // Nothing listens on the target's port: a restart often takes no longer than the pause.
  return { route: now, waitMs: wasSent || hasMoved ? 0 : limits.upstreamRetryMs };
}
