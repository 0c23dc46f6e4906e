// Entry point of each process of a gateway with several processes. Only leader.ts starts it.
import { watchLoop } from '@paddock/runtime/watchdog';
import { startGateway } from '../gateway.ts';
import { findKin } from '../kin.ts';
import { leaveOnSignals } from '../leave.ts';
import { limits } from '../limits.ts';
import { prepare } from '../prepare.ts';
import { refuseStart } from '../refuse-start.ts';
import type { Task, ToFollower, ToLeader } from './messages.ts';
import { sharedLimits } from './shared-limits.ts';

const { config, log } = prepare();
watchLoop('gateway');
const { task, mayLeave } = hearLeader();
const { port, leaderPid, processes, beatMs } = await task;
setInterval(() => say('alive'), beatMs);
const gateway = await startGateway(
  { ...config, auditSpoolBytes: Math.ceil(config.auditSpoolBytes / processes), port, gatewayPid: leaderPid },
  log,
  { limits: sharedLimits(limits, processes), kin: findKin(config, leaderPid) },
).catch(refuseStart);
const leave = leaveOnSignals({ log, close: gateway.close });
say({ listensAt: gateway.port });
void mayLeave.then(leave);

/** A closed channel means that the leader has exited: nobody replaces this process then, and the next gateway is starting. */
function hearLeader() {
  const task = Promise.withResolvers<Task>();
  const leaving = Promise.withResolvers<void>();
  process.on('message', (message: ToFollower) => (message === 'leave' ? leaving.resolve() : task.resolve(message.task)));
  process.on('disconnect', () => {
    log.warn('leader process exited');
    leaving.resolve();
  });
  if (!process.connected) throw new Error('This program is started by the gateway.');
  return { task: task.promise, mayLeave: leaving.promise };
}

function say(message: ToLeader): void {
  process.send?.(message, () => undefined); // 'disconnect' reports a closed channel
}
