import type { Traffic } from './traffic.ts';

/** What one exchange contributes to its deployment's traffic. */
export interface Figures {
  status: number;
  isUpstreamError: boolean;
  /** The first call stops the watch. */
  stopWatch: () => void;
  moved: (bytesIn: number, bytesOut: number) => void;
  /** Counts what has passed since the last time, so that a long stream shows while it lasts. */
  countBytes: () => void;
  /** The exchange is over: it counts as one request. */
  finish: () => void;
}

/** `deploymentId` is asked for each time: a repeated try may have gone to the next deployment. */
export function exchangeFigures(traffic: Traffic, deploymentId: () => string): Figures {
  const startedAt = performance.now();
  let latencyMs: number | undefined;
  let waitingIn = 0;
  let waitingOut = 0;
  const figures: Figures = { status: 0, isUpstreamError: false, stopWatch, moved, countBytes, finish };
  return figures;

  function stopWatch(): void {
    latencyMs ??= performance.now() - startedAt;
  }

  function moved(bytesIn: number, bytesOut: number): void {
    waitingIn += bytesIn;
    waitingOut += bytesOut;
  }

  function countBytes(): void {
    traffic.addBytes(deploymentId(), waitingIn, waitingOut);
    waitingIn = 0;
    waitingOut = 0;
  }

  function finish(): void {
    countBytes();
    stopWatch();
    traffic.observe({
      deploymentId: deploymentId(),
      // A visitor who left before there was an answer; nginx's number for it.
      status: figures.status || 499,
      latencyUs: latencyMs! * 1000,
      isUpstreamError: figures.isUpstreamError,
    });
  }
}
