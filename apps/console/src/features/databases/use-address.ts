import type { DatabaseType } from '@paddock/contract';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { useRefreshDatabases } from './queries.ts';

interface Address {
  type: DatabaseType;
  url: string;
}

type State = {
  busy: 'checking' | 'saving' | null;
  /** What the last check said, and about which address. */
  checked: (Address & { reachable: boolean; message: string }) | null;
  error: unknown;
};

const idle: State = { busy: null, checked: null, error: null };

/**
 * Checks an address and keeps it. One that does not answer now may still be right, so it only warns: the same address submitted again
 * is kept. An address holds a password, so it goes through no cache.
 */
export function useAddress(save: (address: Address, signal: AbortSignal) => Promise<unknown>, onSaved: () => void) {
  const [state, setState] = useState<State>(idle);
  const work = useRef<AbortController>(undefined);
  const refresh = useRefreshDatabases();
  useEffect(() => () => work.current?.abort(), []);

  async function run({ type, url }: Address, thenSave: boolean) {
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
        if (!thenSave || !checked.reachable) return setState({ ...idle, checked });
      }
      setState({ ...idle, busy: 'saving', checked });
      await save({ type, url }, signal);
      setState(idle);
      void refresh();
      onSaved();
    } catch (error) {
      if (!signal.aborted) setState({ ...idle, error });
    }
  }

  return {
    ...state,
    check: (address: Address) => run(address, false),
    submit: (address: Address) => run(address, true),
    /** The form was changed: what was said before says nothing about it. */
    forget: () => {
      work.current?.abort();
      setState(idle);
    },
  };
}
