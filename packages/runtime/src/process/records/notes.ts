import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import type { Folder } from './records.ts';

/** More than any of these notes needs. */
const ROOM_BYTES = 1024;
const roomOf = (file: string) => `${file}.room`;

/**
 * Takes the space for what must be written of a sandbox even when the disk is full by then: how it ended, and why. supervise.sh and step.sh know
 * the room of the status. Without space it throws, and nothing is started.
 */
export function keepRoom(folder: Folder): void {
  for (const file of [folder.init, folder.killed, folder.exit, folder.status])
    writeFileSync(roomOf(file), `${' '.repeat(ROOM_BYTES - 1)}\n`, { mode: 0o600 });
}

/** Writes so that a reader sees the old or the new content, never a part, also after a power cut. What room was kept for has blanks at its end. */
export function writeNote(file: string, text: string): void {
  const room = roomOf(file);
  const bytes = Buffer.from(text);
  if (!existsSync(room) || bytes.length >= ROOM_BYTES) {
    const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    try {
      writeFileSync(temporary, bytes, { mode: 0o600, flush: true });
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true }); // it is tried again and again
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

export const writeJson = (file: string, value: unknown): void => writeNote(file, JSON.stringify(value));
