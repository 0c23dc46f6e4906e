import { type Debugger, Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A loop inside native code may not answer; then nobody knows. */
const patienceMs = 1_500;
const framesMost = 5;

/** The functions in which the main thread stands, the innermost first; undefined when it does not tell in time. */
export async function whereMainStands(): Promise<string | undefined> {
  const session = new Session();
  try {
    session.connectToMainThread();
    const files = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url));
    const paused = new Promise<Debugger.CallFrame[]>((resolve) =>
      session.once('Debugger.paused', ({ params }) => resolve(params.callFrames)),
    );
    const asked = session.post('Debugger.enable').then(() => session.post('Debugger.pause'));
    const frames = await Promise.race([asked.then(() => paused), sleep(patienceMs)]);
    return frames
      ?.slice(0, framesMost)
      .map(({ functionName, location }) => placeOf(functionName, files.get(location.scriptId) ?? '', location.lineNumber + 1))
      .join(' < ');
  } catch {
    return undefined; // no inspector in this build of Node
  }
}

const placeOf = (name: string, file: string, line: number) => `${name || 'a function'} (${file.slice(file.lastIndexOf('/') + 1)}:${line})`;
