import type { PlantedBug } from '../bug.ts';

const watchdog = 'packages/runtime/src/watchdog';
const watched = `${watchdog}/watchdog.test.ts`;
const supervising = 'scripts/bootstrap/supervise.test.ts';
const beyondHost = 'apps/gateway/src/heads/agent-headers.test.ts';

/** Bugs of superlinear work on untrusted text, of event loops that stall, and of what agents' responses and addresses may contain. */
export const standstillBugs: PlantedBug[] = [
  {
    bug: 'a cookie of blanks takes cubic time again',
    promise: 'no tenant stops another one: text functions are linear',
    file: 'apps/gateway/src/heads/set-cookie.ts',
    from: 'const value = unquoted(attribute.trim());',
    to: 'const value = /^\\s*"?\\.?([^"]*?)"?\\s*$/.exec(attribute)?.[1] ?? "";',
    caught_by: { file: 'attacks/text.test.ts', test: 'time grows with the length alone: gateway: Set-Cookie' },
  },
  {
    bug: 'the law of patterns takes what it cannot prove for linear',
    promise: 'each pattern that meets strangers’ bytes is proven linear',
    file: 'scripts/patterns/judge.ts',
    from: "if (found.status === 'safe') return",
    to: "if (found.status !== 'unknown') return",
    caught_by: { file: 'scripts/patterns/patterns.test.ts', test: 'a pattern that a stranger can make quadratic' },
  },
  {
    bug: 'what comes byte by byte is copied again with each byte',
    promise: 'no tenant stops another one: text functions are linear',
    file: 'apps/gateway/src/bodies/stash.ts',
    from: 'Buffer.allocUnsafe(Math.max(firstBytes, 2 * needed))',
    to: 'Buffer.allocUnsafe(needed)',
    caught_by: { file: 'apps/gateway/src/bodies/stash.test.ts', test: 'many small pieces cost few copies' },
  },
  {
    bug: 'a loop that stands still is not ended',
    promise: 'a hung server is ended within seconds and started again',
    file: `${watchdog}/standstill.ts`,
    from: "process.kill(pid, 'SIGKILL');",
    to: "process.kill(pid, 'SIGCONT');",
    caught_by: { file: watched, test: 'a process whose loop computes for ever' },
  },
  {
    bug: 'the time of a stopped process counts as standstill',
    promise: 'a suspended machine ends nothing',
    file: `${watchdog}/stall.ts`,
    from: "else if (now.state === 'R') stoodMs",
    to: 'else stoodMs',
    caught_by: { file: watched, test: 'work counts by the time that it was given' },
  },
  {
    bug: 'a crashed server is not started again',
    promise: 'npm start keeps the server running',
    file: 'scripts/bootstrap/supervise.mjs',
    from: 'code === null ? !ASKED.includes(signal) : code === CRASHED',
    to: 'code === null ? false : code === CRASHED',
    caught_by: { file: supervising, test: 'a server that ended by a signal' },
  },
  {
    bug: 'SIGTERM waits for a hung server for ever',
    promise: 'SIGTERM ends a hung server too',
    file: 'scripts/bootstrap/supervise.mjs',
    from: "if (isFirst) setTimeout(() => end('after its grace'), graceMs);",
    to: "if (isFirst) setTimeout(() => tell('after its grace'), graceMs);",
    caught_by: { file: supervising, test: 'SIGTERM ends a server that hears nothing' },
  },
  {
    bug: 'a secret under an encoded name stands in the log',
    promise: 'no secret in a log',
    file: 'packages/contract/src/logged-url.ts',
    from: 'return plainName.test(name) && !secret.test(name)',
    to: 'return !secret.test(name)',
    caught_by: { file: 'packages/contract/src/logged-url.test.ts', test: 'a secret in a query is in no log' },
  },
  {
    bug: 'an agent clears the cookies of the whole domain',
    promise: 'an agent’s answer acts on its own host alone',
    file: 'apps/gateway/src/heads/agent-headers.ts',
    from: "'clear-site-data',",
    to: "'clear-site-date',",
    caught_by: { file: beyondHost, test: 'what acts beyond the agent' },
  },
  {
    bug: 'any number of names in Connection is taken',
    promise: 'a header costs what its length says',
    file: 'apps/gateway/src/heads/connection-names.ts',
    from: 'if (parts.length + names.size > maxNames) return false;',
    to: '',
    caught_by: { file: beyondHost, test: 'a Connection header with more names' },
  },
  {
    bug: 'every fault in the live logs is taken for an outage',
    promise: 'a fault of ours is told',
    file: 'apps/server/src/db/outage.ts',
    from: 'if (!isOutage(error)) log.error({ err: error }, message);',
    to: 'if (error === log) log.error({ err: error }, message);',
    caught_by: { file: 'apps/server/src/features/logs/outage.test.ts', test: 'a fault in live logs' },
  },
];
