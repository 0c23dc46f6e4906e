import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { copyBelow, openBelow, StrangeFile } from '@paddock/safe-files';

/** A lock file of ten thousand packages has 10 MB; patches and plugins of package managers are smaller. */
const MAX_INPUT_BYTES = 128 * 1024 ** 2;

/** The hash of each input, so that the key changes exactly when their content does. */
export async function digests(folder: string, inputs: string[]): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const input of inputs) found.push([input, await digest(folder, input)]);
  return found;
}

async function digest(folder: string, input: string): Promise<string> {
  const file = await openBelow(folder, input);
  if (file === undefined) throw new Error(`The file ${JSON.stringify(input)} is gone.`);
  const hash = createHash('sha256');
  let bytes = 0;
  // The stream closes the file.
  for await (const piece of file.createReadStream() as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_INPUT_BYTES) throw new StrangeFile(input, 'too large');
    hash.update(piece);
  }
  return hash.digest('hex');
}

/** Copies the files that decide what is installed to a separate folder. */
export async function copyInputs(from: string, scratch: string, inputs: string[]): Promise<void> {
  await mkdir(scratch, { recursive: true, mode: 0o755 });
  for (const input of inputs) await copyBelow(input, { from, to: scratch, maxBytes: MAX_INPUT_BYTES });
}
