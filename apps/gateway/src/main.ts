import { watchLoop } from '@paddock/runtime/watchdog';
import { followParent } from './follow-parent.ts';
import { findKin } from './kin.ts';
import { leaveOnSignals } from './leave.ts';
import { prepare } from './prepare.ts';
import { refuseStart } from './refuse-start.ts';

const { config, log } = prepare();
const { port, leave } = await (config.processes === 1 ? startAlone() : startSeveral()).catch(refuseStart);
// The parent process waits for this line, so it is logged at every level.
log.child({}, { level: 'info' }).info({ port, pid: process.pid, processes: config.processes }, 'gateway ready');
if (config.parentPid !== undefined) followParent(config.parentPid, log, leave);

async function startAlone() {
  watchLoop('gateway');
  const { startGateway } = await import('./gateway.ts');
  const { port, close } = await startGateway(config, log, { kin: findKin(config) });
  return { port, leave: leaveOnSignals({ log, close }) };
}

/** With several processes this one serves nobody: it loads little and has no watchdog thread, because no stranger's bytes reach it. */
async function startSeveral() {
  const { startLeader } = await import('./processes/leader.ts');
  const followers = startLeader(config, log);
  // Registered before the first process starts: a signal during the start must not leave processes behind.
  const leave = leaveOnSignals({ log, close: followers.close, beforeEnd: followers.end });
  return { port: await followers.start(), leave };
}
