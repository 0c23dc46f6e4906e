import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program, also from the system's folders that an ordinary user's PATH often lacks. */
export function findProgram(name) {
  const folders = `${process.env.PATH ?? ''}${delimiter}/usr/sbin${delimiter}/sbin`.split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there, or not for us
  }
}
