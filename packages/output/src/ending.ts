import { setFlagsFromString } from 'node:v8';

/**
 * Call this when a process begins to exit, before it closes its resources. From then on nothing is compiled in the background. Otherwise a
 * compilation that needs a garbage collection waits for the main thread while `process.exit` waits for the compiler's thread, and the
 * process never exits (https://github.com/nodejs/node/issues/54918).
 */
export function prepareToEnd(): void {
  for (const compiler of ['sparkplug', 'maglev', 'opt']) setFlagsFromString(`--no-${compiler}`);
}
