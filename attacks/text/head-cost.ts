import { HeadFinder } from '../../apps/gateway/src/heads/head-finder.ts';
import { type Limits, limits } from '../../apps/gateway/src/limits.ts';
import { giveBack, passOn } from './gateway-readers.ts';
import { answerHead, requestHead, type Shape } from './hostile-heads.ts';

/** Maximum size of an agent's head. For a visitor's head the gateway allows a quarter. */
export const headBytes = limits.answerHeadBytes;
const runs = 20;
/** Limits of the gateway with the sizes off. The counts remain, so a raised count must still keep within the cost. */
const caps: Limits = { ...limits, headBytes: 1e9, uriBytes: 1e9 };

/** The cost of a head from the received bytes to the forwarded head, as request and as response: the minimum of several runs in ms. */
export function costOf(shape: Shape): { request: number; answer: number } {
  const lines = shape(headBytes);
  return {
    request: minMs(requestHead(lines), (text) => passOn(text, caps)),
    answer: minMs(answerHead(lines), (text) => giveBack(text, caps)),
  };
}

/** Several shapes in one head, each with an equal part of the bytes. */
export const mixed =
  (shapes: readonly Shape[]): Shape =>
  (bytes) =>
    shapes.map((shape) => shape(Math.floor(bytes / shapes.length))).join('');

function minMs(head: string, read: (text: string) => void): number {
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
