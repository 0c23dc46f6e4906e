import type { Database, DatabaseBackup, DatabaseStatus } from '@paddock/contract';
import { storageMarks } from '@paddock/contract/limits';
import type { Tone } from '../../ui/feedback/Badge.tsx';
import type { GlyphName } from '../../ui/theme/Glyph.tsx';

type Look = { tone: Tone; glyph: GlyphName; word: string };

/** 'available' is a success, anything else a warning (spec, section 4); glyph and word tell them apart. */
export const databaseLooks = {
  provisioning: { tone: 'warning', glyph: 'arc', word: 'Provisioning' },
  available: { tone: 'success', glyph: 'disc', word: 'Available' },
  stopped: { tone: 'warning', glyph: 'square', word: 'Stopped' },
  failed: { tone: 'warning', glyph: 'cross', word: 'Failed' },
  restoring: { tone: 'warning', glyph: 'arc', word: 'Restoring' },
  deleting: { tone: 'warning', glyph: 'arc', word: 'Deleting' },
  unreachable: { tone: 'warning', glyph: 'triangle', word: 'Unreachable' },
} as const satisfies Record<DatabaseStatus, Look>;

/** An unknown state is shown as received. */
export const databaseLook = (status: string): Look =>
  Object.hasOwn(databaseLooks, status) ? databaseLooks[status as DatabaseStatus] : { tone: 'warning', glyph: 'bar', word: status };

export const backupLooks = {
  queued: { tone: 'info', glyph: 'ring', word: 'Queued' },
  running: { tone: 'warning', glyph: 'arc', word: 'Running' },
  available: { tone: 'success', glyph: 'tick', word: 'Available' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
} as const satisfies Record<DatabaseBackup['status'], Look>;

export type DatabaseAction = 'start' | 'stop' | 'rotate' | 'backup' | 'export' | 'readdress' | 'delete';

/** The actions that a database's state allows; the server has the same rules. */
export const may: Record<DatabaseAction, (database: Database) => boolean> = {
  start: ({ mode, status }) => mode === 'managed' && (status === 'stopped' || status === 'failed'),
  stop: ({ mode, status }) => mode === 'managed' && (status === 'available' || status === 'provisioning'),
  rotate: ({ mode, status }) => mode === 'managed' && status === 'available',
  backup: ({ mode, status }) => mode === 'managed' && status === 'available',
  export: ({ mode, type, status }) => mode === 'managed' && type === 'postgresql' && status === 'available',
  readdress: ({ mode }) => mode === 'byo',
  delete: ({ status }) => status !== 'deleting',
};

export type StorageState = 'fine' | 'warning' | 'read-only';

export function storageState({ size_bytes, storage_limit_bytes, is_read_only }: Database): StorageState {
  if (is_read_only) return 'read-only';
  if (size_bytes === null || storage_limit_bytes === null) return 'fine';
  return size_bytes >= storage_limit_bytes * storageMarks.warning ? 'warning' : 'fine';
}
