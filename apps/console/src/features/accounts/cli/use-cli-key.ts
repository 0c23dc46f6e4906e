import { useState } from 'react';
import { useIntentions } from '../../../api/intentions.ts';
import { readSession } from '../../../api/session.ts';
import { type CliFailure, creationFailure, loginRequired } from './cli-failure.ts';
import { cliKeyName, createCliKey, handOver } from './cli-key.ts';
import type { LoopbackCallback } from './loopback-callback.ts';

/** Creates one key and sends it, however often the button is pressed. */
export function useCliKey(onFailure: (failure: CliFailure) => void) {
  const [name] = useState(() => cliKeyName(new Date()));
  const [state, setState] = useState<'asking' | 'working' | 'done'>('asking');
  const intentions = useIntentions();

  async function authorize(callback: LoopbackCallback) {
    const session = readSession();
    if (!session?.token || !session.user) return onFailure(loginRequired);
    if (!intentions.begin(name)) return;
    setState('working');
    try {
      handOver(callback, await createCliKey(session, name));
      intentions.settle(name);
      setState('done');
    } catch (error) {
      intentions.settle(name, error);
      setState('asking');
      onFailure(creationFailure(error, navigator.onLine));
    }
  }
  return { name, state, authorize };
}
