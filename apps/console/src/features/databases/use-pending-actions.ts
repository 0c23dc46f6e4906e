import type { Database } from '@paddock/contract';
import { useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import type { DatabaseWish } from './DatabaseMenu.tsx';
import { useDatabaseAction } from './queries.ts';

export type Asked = { wish: Exclude<DatabaseWish, 'metrics' | 'backups' | 'start'>; id: string };

/** Runs the actions on a database: some open a dialog, some the drawer; starting runs at once. */
export function usePendingActions(openDrawer: (id: string, tab: 'metrics' | 'backups') => void) {
  const [asked, setAsked] = useState<Asked>();
  const start = useDatabaseAction('start');
  return {
    asked,
    done: () => setAsked(undefined),
    /** The database that the server refused to start, with the error; kept until the next start. */
    startProblem: start.error ? { id: start.variables, error: start.error } : undefined,
    wish(wish: DatabaseWish, database: Database) {
      if (wish === 'metrics' || wish === 'backups') return openDrawer(database.id, wish);
      if (wish === 'start') return start.mutate(database.id, { onSuccess: () => toast.success('Starting the database') });
      setAsked({ wish, id: database.id });
    },
  };
}
