import type { ResponseCode } from '../pages/own-responses.ts';
import { goingAway } from '../web-sockets/handshake.ts';
import type { RelayedExchange } from './exchange.ts';
import type { Phase } from './phase.ts';

/** The visitor's response when one of these phases took too long. */
const refusals: Partial<Record<Phase, ResponseCode>> = {
  looking: 'agent_starting',
  queued: 'agent_busy',
  deciding: 'policy_failed',
  waiting: 'agent_timed_out',
};

/** Ends an exchange whose phase took too long. */
export function onTimeout(exchange: RelayedExchange, phase: Phase): void {
  const code = refusals[phase];
  if (code !== undefined) return exchange.refuse(code);
  switch (phase) {
    case 'connecting':
      return exchange.connectAgain('no connection in time');
    case 'sending':
      return exchange.refuse(exchange.isAgentFull ? 'agent_timed_out' : 'request_timed_out');
    case 'answering':
      return exchange.cutOff('silent in the middle of an answer');
    case 'spliced':
      return exchange.closeWebSocket(goingAway);
    default:
      exchange.cut();
  }
}
