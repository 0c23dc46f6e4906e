import type { RuntimeDriver } from '@paddock/runtime';
import type { Log } from '../../log.ts';
import { collectOutput } from './collector.ts';
import type { MaskLines } from './mask-lines.ts';
import type { LogStore } from './store.ts';
import { logWriter } from './writer.ts';

/** Lines in which the cause of a failure is looked for: an error of Node prints its cause far above its end. */
const examinedLines = 60;

interface Deps {
  store: LogStore;
  mask: MaskLines;
  driver: RuntimeDriver;
  node: string;
  log: Log;
}

/** Log access for deployment work: writing lines, reading the last ones, and collecting the output of agents. */
export const agentLogs = ({ store, mask, driver, node, log }: Deps) => ({
  openLog: (d: { id: string; team_id: string }) => logWriter({ store, mask, log }, d),
  lastOf: (deployment_id: string) => store.readLast(deployment_id, 'agent', examinedLines),
  collecting: {
    collect: (instance: { id: string; deployment_id: string }, hasExited: () => boolean, signal: AbortSignal) =>
      collectOutput({ driver, store, mask, log }, instance, { hasExited, signal }),
    forgetInstance: store.forgetInstance,
    forgetRemoved: (present: string[]) => store.forgetRemoved(node, present),
  },
});
