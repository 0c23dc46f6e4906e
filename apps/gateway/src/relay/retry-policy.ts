import type { Limits } from '../limits.ts';
import type { ResponseCode } from '../pages/own-responses.ts';
import { pageFor } from '../pages/pages.ts';
import type { Route } from '../routes/route.ts';
import type { FailureKind } from '../upstream/pool.ts';

/** Requests that do no harm when they are sent twice. */
export const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'SEARCH', 'REPORT', 'QUERY']);

export interface FailedAttempt {
  /** Of 'unreachable' and 'busy' not a byte was sent. */
  kind: FailureKind;
  tried: number;
  /** The connection had served others before. */
  wasKept: boolean;
  /** The request does no harm when it is sent twice. */
  mayRepeat: boolean;
  route: Route;
}

const tries = 3;

/**
 * What comes after a try that brought no byte of an answer: another one, or the answer that the visitor gets instead.
 * It is tried again if nothing was sent yet, or if what was sent may be sent twice and the agent had merely closed a
 * kept connection or made way for the next instance.
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
  // Nothing listens where it should: a restart is often just over.
  return { route: now, waitMs: wasSent || hasMoved ? 0 : limits.upstreamRetryMs };
}
