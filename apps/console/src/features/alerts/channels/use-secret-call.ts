import type { Channel } from '@paddock/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/api.ts';
import { useIntentions } from '../../../api/intentions.ts';
import { channelsKey } from './queries.ts';

/** Response with a signing secret; null for Slack, which has none. */
export interface WithSecret {
  channel: Channel;
  secret: string | null;
}

export const useCreateChannel = (onMade: (made: WithSecret) => void) => useSecretCall(api.channels.create, onMade);
export const useRotateSecret = (onMade: (made: WithSecret) => void) => useSecretCall(api.channels.rotateSecret, onMade);
/** The address of a Slack channel is a secret: anybody who knows it can post there. */
export const useChangeChannel = (onChanged: () => void) => useSecretCall(api.channels.update, onChanged);

/** A call that takes or returns a secret. Input and output bypass TanStack's mutation cache, which would retain them for minutes. */
function useSecretCall<Input, Output>(
  call: (input: Input, options: { idempotency_key: string }) => Promise<Output>,
  onDone: (output: Output) => void,
) {
  const client = useQueryClient();
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: undefined });
  const intentions = useIntentions();
  const send = async (input: Input, idempotency_key: string) => {
    setState({ busy: true, error: undefined });
    try {
      const output = await call(input, { idempotency_key });
      setState({ busy: false, error: undefined });
      onDone(output);
    } finally {
      void client.invalidateQueries({ queryKey: channelsKey });
    }
  };
  const run = (input: Input) =>
    intentions.run(input, (key) => send(input, key)).catch((error: unknown) => setState({ busy: false, error }));
  return { ...state, run };
}
