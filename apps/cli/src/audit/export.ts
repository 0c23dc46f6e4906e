import { access, open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { exportFormats } from '@paddock/contract';
import { megabytes } from '../archive/list-files.ts';
import type { Context } from '../context.ts';
import { downloadFrom } from '../download.ts';
import { ToolError, usage } from '../failures.ts';
import { buildAuditFilter, type FilterOptions } from './filter.ts';

export interface ExportOptions extends FilterOptions {
  output?: string;
  format: (typeof exportFormats)[number];
}

const shownEveryMs = 200;

/** Saves the trail as it arrives. The file appears when it is complete, and only its owner may read it. */
export async function exportAuditLogs(context: Context, { output, format, ...options }: ExportOptions) {
  const { terminal } = context;
  const server = await context.server();
  const body = { ...(await buildAuditFilter(context, server, options)), format };
  const caller = { token: server.key, version: context.version, signal: context.signal };
  const download = await downloadFrom(server.url, caller, { path: '/governance/audit-logs/export', body });
  try {
    const file = resolve(context.cwd, output ?? download.fileName ?? `audit-logs.${format}`);
    if (output === undefined && (await exists(file))) throw usage(`${file} exists already. Name another file with -o.`);
    const bytes = await save(context, file, download.bytes);
    terminal.note(`Exported ${megabytes(bytes)}.`);
    if (format === 'jsonl' || format === 'json')
      terminal.note('Verify the export: paddock audit verify FILE --key KEY (GET /governance/summary gives the key)');
    terminal.result({ file, bytes, format }, file);
  } finally {
    download.close();
  }
}

async function save({ terminal }: Context, file: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const part = `${file}.part`;
  let [bytes, shownAt] = [0, 0];
  try {
    await rm(part, { force: true }); // a killed export may have left it
    const handle = await open(part, 'wx', 0o600);
    try {
      for await (const piece of pieces) {
        await handle.writeFile(piece);
        bytes += piece.length;
        const now = performance.now();
        if (now - shownAt < shownEveryMs) continue;
        shownAt = now;
        terminal.progress(`Exporting: ${megabytes(bytes)}`);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
    return bytes;
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined); // the first failure is reported
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new ToolError('file_not_written', `${file} cannot be written (${code}).`, { cause: error });
  } finally {
    terminal.progress('');
  }
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
