import type { DatabaseType } from '@paddock/contract';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api/api.ts';
import { useIntentions } from '../../../api/intentions.ts';
import { useRefreshDatabases } from '../queries.ts';

interface Address {
  type: DatabaseType;
  url: string;
}

interface SaveOptions {
  signal: AbortSignal;
  idempotency_key: string;
}

type State = {
  busy: 'checking' | 'saving' | null;
  /** The result of the last check, and the address that was checked. */
  checked: (Address & { reachable: boolean; message: string }) | null;
  error: unknown;
};

const idle: State = { busy: null, checked: null, error: null };

/**
 * Checks an address and saves it. An unreachable address may still be right, so a failed check only warns: the same address submitted again
 * is saved. An address contains a password, so it is kept out of every cache.
 */
export function useAddress(save: (address: Address, options: SaveOptions) => Promise<unknown>, onSaved: () => void) {
  const [state, setState] = useState<State>(idle);
  const work = useRef<AbortController>(undefined);
  const refresh = useRefreshDatabases();
  const intentions = useIntentions();
  useEffect(() => () => work.current?.abort(), []);

  /** Returns the error that it has shown, if any. */
  async function run({ type, url }: Address, thenSave: boolean, idempotency_key = ''): Promise<unknown> {
    work.current?.abort();
    const controller = new AbortController();
    work.current = controller;
    const { signal } = controller;
    const known = state.checked?.type === type && state.checked.url === url ? state.checked : null;
    try {
      let checked = thenSave ? known : null;
      if (!checked) {
        setState({ ...idle, busy: 'checking' });
        checked = { type, url, ...(await api.databases.check({ type, url }, { signal })) };
        if (!thenSave || !checked.reachable) {
          setState({ ...idle, checked });
          return undefined;
        }
      }
      setState({ ...idle, busy: 'saving', checked });
      await save({ type, url }, { signal, idempotency_key });
      setState(idle);
      void refresh();
      onSaved();
      return undefined;
    } catch (error) {
      if (!signal.aborted) setState({ ...idle, error });
      return error;
    }
  }

  return {
    ...state,
    check: (address: Address) => run(address, false),
    /** `about` is saved with the address. The check's result is part of the intention: 'Connect anyway' is a different intention. */
    submit: async (address: Address, about: unknown = null) => {
      const intention = [address, about, state.checked];
      if (!intentions.begin(intention)) return;
      intentions.settle(intention, await run(address, true, intentions.keyOf(intention)));
    },
    /** Called when the form changes: earlier results and errors no longer apply. */
    forget: () => {
      work.current?.abort();
      setState(idle);
    },
  };
}
