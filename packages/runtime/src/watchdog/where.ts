import { type Debugger, Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A loop inside native code may not answer. */
const PATIENCE_MS = 1_500;
const MAX_FRAMES = 5;

/** The functions that the main thread is in, innermost first. Undefined when the inspector does not answer in time. */
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
    const frames = await Promise.race([asked.then(() => paused), sleep(PATIENCE_MS)]);
    return frames
      ?.slice(0, MAX_FRAMES)
      .map(({ functionName, location }) => placeOf(functionName, files.get(location.scriptId) ?? '', location.lineNumber + 1))
      .join(' < ');
  } catch {
    return undefined; // no inspector in this build of Node
  }
}

const placeOf = (name: string, file: string, line: number) => `${name || 'a function'} (${file.slice(file.lastIndexOf('/') + 1)}:${line})`;
