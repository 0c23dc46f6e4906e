import type { Database } from '@paddock/contract';
import { Meter } from '../../ui/feedback/Meter.tsx';
import { usedText } from './format.ts';
import { storageState } from './states.ts';

const tones = { fine: 'accent', warning: 'warning', 'read-only': 'error' } as const;

/** The used share of limited storage, and its consequences. */
export function StorageMeter({ database }: { database: Database }) {
  const { type, size_bytes, storage_limit_bytes } = database;
  if (size_bytes === null || storage_limit_bytes === null) return null;
  const state = storageState(database);
  return (
    <Meter
      label={type === 'redis' ? 'Data in memory' : 'Storage'}
      value={size_bytes}
      max={storage_limit_bytes}
      text={usedText(size_bytes, storage_limit_bytes)}
      tone={tones[state]}
      // The server's message, shown above, says more: whose limit it is, and the remedy.
      note={database.status_message ? undefined : notes[state]}
    />
  );
}

const notes = {
  fine: undefined,
  warning: 'Nearly full. At 100 % it becomes read-only. Free up space, or move to a larger plan.',
  'read-only': 'Read-only: no space is left. Free up space, or move to a larger plan.',
} as const;
