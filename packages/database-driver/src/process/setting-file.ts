import { chmodSync, chownSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Room } from './engine.ts';

/**
 * Writes a file that only the server and the platform may read. A file that is up to date is not written again, which needs no disk space.
 */
export function writeSetting(room: Room, name: string, content: string): void {
  const file = join(room.settings, name);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && (room.owner ?? found.gid) === found.gid && readFileSync(file, 'utf8') === content) return;
  writeFileSync(`${file}.draft`, content, { mode: 0o640 });
  if (room.owner !== undefined) {
    chownSync(room.settings, 0, room.owner);
    chmodSync(room.settings, 0o750);
    chownSync(`${file}.draft`, 0, room.owner);
  }
  renameSync(`${file}.draft`, file);
}
