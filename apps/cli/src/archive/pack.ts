import { archiveLimits } from '@paddock/contract/limits';
import { ZipFile } from 'yazl';
import { messageOf, ToolError } from '../failures.ts';
import { megabytes, type PackedFile, refusal } from './list-files.ts';

/** Packs the files as a ZIP archive in memory: at most 250 MB, and nothing remains on the disk if the CLI is killed. */
export async function packFiles(files: PackedFile[], onFile: (packed: number) => void, signal: AbortSignal): Promise<Blob> {
  const zip = new ZipFile();
  const failed = new Promise<never>((_, reject) => {
    zip.on('error', (cause: unknown) =>
      reject(new ToolError('archive_failed', `A file could not be read, or changed meanwhile: ${messageOf(cause)}`, { cause })),
    );
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  signal.throwIfAborted();
  // Only the executable bit of the permissions is kept: the others mean nothing on another machine.
  for (const { path, name, mode, mtime } of files) zip.addFile(path, name, { mtime, mode: mode & 0o111 ? 0o100755 : 0o100644 });
  zip.end();
  return Promise.race([collect(zip.outputStream as AsyncIterable<Buffer> & NodeJS.ReadableStream, onFile), failed]);
}

async function collect(stream: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > archiveLimits.zipBytes)
      throw refusal(
        `The archive is larger than ${megabytes(archiveLimits.zipBytes)}. Leave out what the agent does not need in .paddockignore.`,
      );
    chunks.push(new Uint8Array(chunk));
    onBytes(size);
  }
  return new Blob(chunks, { type: 'application/zip' });
}
