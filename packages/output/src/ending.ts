import { setFlagsFromString } from 'node:v8';

/**
 * Call it when a process begins to leave, before it closes what it has open. From then on nothing is compiled in the background: a compilation that
 * wants a collection while `process.exit` waits for its thread waits for the main thread in turn, and the process never ends
 * (https://github.com/nodejs/node/issues/54918).
 */
export function prepareToEnd(): void {
  for (const compiler of ['sparkplug', 'maglev', 'opt']) setFlagsFromString(`--no-${compiler}`);
}
