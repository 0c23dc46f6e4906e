import { useRef, useState } from 'react';
import { readSession } from '../../app/session.ts';
import { type CliFailure, creationFailure, loginRequired } from './cli-failure.ts';
import { cliKeyName, createCliKey, handOver } from './cli-key.ts';
import type { LoopbackCallback } from './loopback-callback.ts';

/** Creates one key and hands it over, however often the button is pressed. */
export function useCliKey(onFailure: (failure: CliFailure) => void) {
  const [name] = useState(() => cliKeyName(new Date()));
  const [state, setState] = useState<'asking' | 'working' | 'done'>('asking');
  // A second press may come before the first one is drawn.
  const working = useRef(false);

  async function authorize(callback: LoopbackCallback) {
    if (working.current) return;
    const session = readSession();
    if (!session?.token || !session.user) return onFailure(loginRequired);
    working.current = true;
    setState('working');
    try {
      handOver(callback, await createCliKey(session, name));
      setState('done');
    } catch (error) {
      working.current = false;
      setState('asking');
      onFailure(creationFailure(error, navigator.onLine));
    }
  }
  return { name, state, authorize };
}
