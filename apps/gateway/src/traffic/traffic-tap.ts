import type { Tap } from '../taps/tap.ts';
import type { Traffic } from './traffic.ts';

/** Counts requests and bytes for the deployment's figures. */
export function trafficTap(traffic: Traffic): Tap {
  return {
    passed: (exchange, bytesIn, bytesOut) => traffic.addBytes(exchange.deploymentId, bytesIn, bytesOut),
    ended: (exchange) => traffic.observe(exchange),
  };
}
