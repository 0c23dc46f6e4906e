import type { ZipEntry } from './entry-rules.ts';

/** Longer files with a script's first line contain other data too, which must not change. */
const maxScriptBytes = 1024 ** 2;

/** The bytes of a shell script, or of a file that names its interpreter, without Windows line ends; undefined for every other file. */
export function withLinuxLineEnds(name: string, data: Buffer): Buffer | undefined {
  if (data.length > maxScriptBytes || !(hasInterpreter(data) || /\.(?:sh|bash)$/.test(name))) return undefined;
  const end = data.indexOf('\n');
  if (end < 1 || data[end - 1] !== carriageReturn) return undefined;
  return Buffer.from(data.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** Whether a packer without file modes made the archive, so that none of its files is executable. */
export const lacksModes = (entries: readonly ZipEntry[]) => !entries.some(({ executable }) => executable);

/** Whether the kernel could start a file with this beginning. */
export const isProgram = (start: Buffer) => hasInterpreter(start) || start.subarray(0, 4).equals(elf);

const carriageReturn = 0x0d;
const elf = Buffer.from('\x7fELF');
const hasInterpreter = (data: Buffer) => data[0] === 0x23 && data[1] === 0x21; // `#!`
