import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import type { Folder } from './records.ts';

/** Larger than each of these notes. */
const ROOM_BYTES = 1024;
const roomOf = (file: string) => `${file}.room`;

/**
 * Reserves the space for the notes that must be written even if the disk is full by then: how and why the sandbox ended. supervise.sh and
 * step.sh write into the space reserved for the status. Throws if there is no space; nothing is started then.
 */
export function reserveSpace(folder: Folder): void {
  for (const file of [folder.init, folder.killed, folder.exit, folder.status])
    writeFileSync(roomOf(file), `${' '.repeat(ROOM_BYTES - 1)}\n`, { mode: 0o600 });
}

/**
 * Replaces a note atomically: readers see the old or the new content, also after a power cut. A note in reserved space ends with blanks.
 */
export function writeDurably(file: string, text: string): void {
  const room = roomOf(file);
  const bytes = Buffer.from(text);
  if (!existsSync(room) || bytes.length >= ROOM_BYTES) {
    const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    try {
      writeFileSync(temporary, bytes, { mode: 0o600, flush: true });
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true }); // callers retry, so the files would pile up
      throw error;
    }
    return;
  }
  const whole = Buffer.alloc(ROOM_BYTES, ' ');
  bytes.copy(whole);
  whole.write('\n', ROOM_BYTES - 1);
  const descriptor = openSync(room, 'r+');
  try {
    writeSync(descriptor, whole, 0, whole.length, 0);
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(room, file);
}

export const writeJson = (file: string, value: unknown): void => writeDurably(file, JSON.stringify(value));
