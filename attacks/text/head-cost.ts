import { HeadFinder } from '../../apps/gateway/src/heads/head-finder.ts';
import { type Limits, limits } from '../../apps/gateway/src/limits.ts';
import { giveBack, passOn } from './gateway-readers.ts';
import { answerHead, requestHead, type Shape } from './hostile-heads.ts';

/** As much as an agent may send; of a visitor the gateway takes a quarter. */
export const headBytes = limits.answerHeadBytes;
const runs = 20;
/** Sizes and counts for the whole of it: whoever raises a cap of the gateway keeps within the cost. */
const caps: Limits = { ...limits, headBytes: 1e9, uriBytes: 1e9 };

/** What a head costs from the bytes to the head that is sent on, as a request and as an answer: the least milliseconds of several runs. */
export function costOf(shape: Shape): { request: number; answer: number } {
  const lines = shape(headBytes);
  return {
    request: leastMs(requestHead(lines), (text) => passOn(text, caps)),
    answer: leastMs(answerHead(lines), (text) => giveBack(text, caps)),
  };
}

/** Several shapes in one head, each with its part of the bytes. */
export const mixed =
  (shapes: readonly Shape[]): Shape =>
  (bytes) =>
    shapes.map((shape) => shape(Math.floor(bytes / shapes.length))).join('');

function leastMs(head: string, read: (text: string) => void): number {
  const bytes = Buffer.from(`${head}\r\n\r\n`, 'latin1');
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    const finder = new HeadFinder();
    finder.find(bytes, 0, bytes.length);
    read(finder.text);
    least = Math.min(least, performance.now() - began);
  }
  return least;
}
