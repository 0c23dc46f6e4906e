import type { PlantedBug } from '../bug.ts';

/** Of the gateway. */
export const gatewayBugs: PlantedBug[] = [
  {
    bug: 'headers that Connection names are passed on',
    promise: 'gateway: hop-by-hop headers stay here',
    file: 'apps/gateway/src/request-head.ts',
    from: 'if (isDropped(name) || named.has(name)) continue;',
    to: 'if (isDropped(name)) continue;',
    caught_by: { file: 'apps/gateway/src/headers.test.ts', test: 'hop-by-hop headers' },
  },
  {
    bug: 'what a visitor says of forwarding reaches the agent',
    promise: 'gateway: forwarding headers tell what it saw itself',
    file: 'apps/gateway/src/request-head.ts',
    from: "plain.startsWith('x-forwarded')",
    to: "plain.startsWith('x-forwarded-none')",
    caught_by: { file: 'apps/gateway/src/headers.test.ts', test: 'forwarding headers tell' },
  },
  {
    bug: 'chunks in HTTP/1.0 are passed on',
    promise: 'gateway: nothing is passed on that two servers read differently',
    file: 'apps/gateway/src/request-head.ts',
    from: "|| value.toLowerCase() !== 'chunked' || req.httpVersionMinor === 0)",
    to: "|| value.toLowerCase() !== 'chunked')",
    caught_by: { file: 'apps/gateway/src/strict.test.ts', test: 'refused and closed: chunks in HTTP/1.0' },
  },
  {
    bug: 'SIGTERM ends the gateway at once',
    promise: 'P10: SIGTERM loses no request',
    file: 'apps/gateway/src/leave.ts',
    from: 'if (signals > 1) endAtOnce();',
    to: 'endAtOnce();',
    caught_by: { file: 'apps/gateway/src/main.test.ts', test: 'SIGTERM lets a request in flight finish' },
  },
  {
    bug: 'a process of the gateway that ended is not replaced',
    promise: 'gateway: of several processes, one that dies is replaced alone',
    file: 'apps/gateway/src/processes/seat.ts',
    from: 'if (closing.signal.aborted) return ending;',
    to: 'if (hasListened || closing.signal.aborted) return ending;',
    caught_by: { file: 'apps/gateway/src/processes/processes.test.ts', test: 'a process that is killed is replaced alone' },
  },
];
