import type { Database } from '@paddock/contract';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api/api.ts';

/** Timeout, long enough for a large database. */
const exportMs = 30 * 60_000;

/** Saves the content of a PostgreSQL database as an SQL file; unmounting aborts it. */
export function useExport({ id, project_name, environment }: Database) {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: undefined });
  const left = useRef<AbortController>(undefined);
  useEffect(() => () => left.current?.abort(), []);

  async function run() {
    const controller = new AbortController();
    left.current = controller;
    setState({ busy: true, error: undefined });
    try {
      const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(exportMs)]);
      save(
        await api.databases.exportSql({ id }, { signal }),
        `${project_name}-${environment}-${new Date().toISOString().slice(0, 10)}.sql`,
      );
      setState({ busy: false, error: undefined });
    } catch (error) {
      if (!controller.signal.aborted) setState({ busy: false, error });
    }
  }
  return { ...state, run };
}

function save(text: string, name: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/sql' }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // Revoke later: the browser reads the URL after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
