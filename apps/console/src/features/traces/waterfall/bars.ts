import type { Span } from '@paddock/contract';

/** The time that the waterfall shows, in milliseconds since the trace began. */
export interface Frame {
  from: number;
  ms: number;
}

/** The frame that contains all bars. A wrong clock of the agent enlarges the frame, and puts no bar outside it. */
export function computeFrame(spans: readonly Span[], durationMs: number): Frame {
  let from = 0;
  let to = Math.max(0, durationMs);
  for (const { offset_ms, duration_ms } of spans) {
    from = Math.min(from, offset_ms);
    to = Math.max(to, offset_ms + duration_ms);
  }
  return { from, ms: Math.max(to - from, 0.001) };
}

export interface Bar {
  /** In percent of the frame. */
  left: number;
  width: number;
  /** Time until the first part of the response, in percent of the bar; null if unknown. */
  waited: number | null;
}

export function computeBar({ offset_ms, duration_ms, first_chunk_ms }: Span, { from, ms }: Frame): Bar {
  const left = within(((offset_ms - from) / ms) * 100);
  const isTold = first_chunk_ms !== null && first_chunk_ms >= 0 && first_chunk_ms <= duration_ms && duration_ms > 0;
  return {
    left,
    width: Math.min(100 - left, within((duration_ms / ms) * 100)),
    waited: isTold ? within((first_chunk_ms / duration_ms) * 100) : null,
  };
}

const within = (percent: number) => Math.min(100, Math.max(0, percent));
