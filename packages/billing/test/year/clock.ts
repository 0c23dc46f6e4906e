import type { Instant } from '../../src/period.ts';

type Appointment = { at: Instant; order: number; run: (at: Instant) => void };

/** A clock that jumps to the next appointment. Appointments of the same instant keep the order in which they were made. */
export function clock(start: Instant) {
  const heap: Appointment[] = [];
  let now = start;
  let made = 0;
  return {
    now: (): Instant => now,
    at(at: Instant, run: (at: Instant) => void): void {
      push(heap, { at: Math.max(at, now), order: made++, run });
    },
    /** Runs the next appointment before an instant; returns true if there was one. */
    next(before: Instant): boolean {
      if (heap.length === 0 || heap[0]!.at >= before) return false;
      const { at, run } = pop(heap);
      now = at;
      run(at);
      return true;
    },
  };
}
export type Clock = ReturnType<typeof clock>;

const isBefore = (one: Appointment, other: Appointment) => one.at < other.at || (one.at === other.at && one.order < other.order);

function push(heap: Appointment[], added: Appointment): void {
  heap.push(added);
  for (let at = heap.length - 1; at > 0; ) {
    const parent = (at - 1) >> 1;
    if (!isBefore(heap[at]!, heap[parent]!)) return;
    [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
    at = parent;
  }
}

function pop(heap: Appointment[]): Appointment {
  const first = heap[0]!;
  const last = heap.pop()!;
  if (heap.length === 0) return first;
  heap[0] = last;
  for (let at = 0; ; ) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    let least = at;
    if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left;
    if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right;
    if (least === at) return first;
    [heap[at], heap[least]] = [heap[least]!, heap[at]!];
    at = least;
  }
}
