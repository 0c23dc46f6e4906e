import { type DemoWorld, demoWorld } from '../../../demo/demo-world.ts';
import type { OpenStream } from '../session/log-stream.ts';

/** The live log of the demo, with the same guarantees as the server's. */
export function demoStream(world: DemoWorld): OpenStream {
  return ({ deploymentId, after, signal }, events) => {
    const deployment = world.deployments.find(({ row }) => row.id === deploymentId);
    if (!deployment) return events.onLost(new Error('There is no such deployment in the demo.'));
    const closed = new AbortController();
    const until = AbortSignal.any([signal, closed.signal]);
    let sent = after;
    const send = () => {
      const lines = deployment.lines.filter((line) => line.number > sent);
      sent = lines.at(-1)?.number ?? sent;
      if (lines.length > 0) events.onLines(lines);
      if (!world.isFinal(deployment) || closed.signal.aborted) return;
      closed.abort();
      events.onEnd();
    };
    setTimeout(() => {
      if (until.aborted) return;
      events.onOpen();
      world.watch(send, until);
      world.keepWriting(deployment, until);
      send();
    }, 60);
  };
}

/** The stream of this page's demo. */
export const openDemoStream = demoStream(demoWorld);
