import { zipSync } from 'fflate';

/** An archive of the given files. */
export const zip = (files: Record<string, string>) =>
  new Blob([zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])))]);
