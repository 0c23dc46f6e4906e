import { BodyCopier, type BodyCopy, budget } from './body-copy.ts';
import type { Exchange, Tap, Watch } from './tap.ts';

/** What is told of an exchange once it is over. */
export interface ExchangeCopy {
  deployment_id: string;
  request_id: string;
  traceparent: string;
  method: string;
  target: string;
  host: string;
  client_address: string;
  began_at_ms: number;
  latency_us: number;
  status: number;
  is_upstream_error: boolean;
  request_type: string | undefined;
  answer_type: string | undefined;
  answer_encoding: string | undefined;
  request: BodyCopy;
  answer: BodyCopy;
}

export interface CopyLimits {
  /** Bytes of a body's beginning and of its end. */
  maxFirst: number;
  maxLast: number;
  /** Bytes of all copies that are collected or wait for whoever reads them. */
  maxBytes: number;
}

/**
 * Copies the ends of bodies for somebody who reads them elsewhere. `deliver` takes a copy, whose memory may be transferred, and resolves when
 * it was read. Nobody on the path of a request waits: what the memory does not allow is given up and counted.
 */
export function exchangeCopies(limits: CopyLimits, deliver: (copy: ExchangeCopy, transfer: ArrayBuffer[]) => Promise<void>) {
  const memory = budget(limits.maxBytes);
  let givenUp = 0;
  const tap: Tap = { watch };
  return { tap, givenUp: () => givenUp };

  function watch(): Watch {
    const request = new BodyCopier(limits, memory);
    const answer = new BodyCopier(limits, memory);
    return {
      requestBody: (bytes, from, to) => request.add(bytes, from, to),
      answerBody: (bytes, from, to) => answer.add(bytes, from, to),
      ended: (exchange) => end(exchange, request, answer),
    };
  }

  function end(exchange: Exchange, request: BodyCopier, answer: BodyCopier): void {
    const held = request.held + answer.held;
    const free = () => memory.give(held);
    if (request.isShort || answer.isShort) {
      givenUp += 1;
      free();
      return;
    }
    const copy = copyOf(exchange, request.copy(), answer.copy());
    const transfer = [copy.request.first, copy.request.last, copy.answer.first, copy.answer.last].map(({ buffer }) => buffer);
    deliver(copy, [...new Set(transfer)]).then(free, () => {
      givenUp += 1;
      free();
    });
  }
}

function copyOf(exchange: Exchange, request: BodyCopy, answer: BodyCopy): ExchangeCopy {
  return {
    deployment_id: exchange.deploymentId,
    request_id: exchange.requestId,
    traceparent: exchange.traceparent,
    method: exchange.method,
    target: exchange.target,
    host: exchange.host,
    client_address: exchange.client.address,
    began_at_ms: exchange.beganAtMs,
    latency_us: Math.round(exchange.latencyUs),
    status: exchange.status,
    is_upstream_error: exchange.isUpstreamError,
    request_type: exchange.requestHeader('content-type'),
    answer_type: exchange.answerHeader('content-type'),
    answer_encoding: exchange.answerHeader('content-encoding'),
    request,
    answer,
  };
}
