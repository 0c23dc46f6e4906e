import { Worker } from 'node:worker_threads';
import { ApiError, type InvoiceDetail } from '@paddock/contract';
import { fairPlaces, fairQueue } from '@paddock/network';
import type { Log } from '../../../../log.ts';

const limitMs = 20_000;
const memoryMb = 256;
/** PDFs that are generated concurrently, and in total including waiting ones: teams share these, and take turns. */
const maxAtOnce = 2;
const maxUnderWay = 52;

export type MakePdf = (owner: string, invoice: InvoiceDetail) => Promise<Buffer>;

/**
 * Generates PDFs in threads with limits: fonts and pages take tenths of a second, too long for the server's main thread. Throws
 * `invoice_pdf_failed`.
 */
export function pdfMaker(log: Log): MakePdf {
  let running = 0;
  const places = fairPlaces(maxUnderWay);
  const waiting = fairQueue<() => void>();

  function handOn(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return async (owner, invoice) => {
    const leave = places.take(owner);
    if (!leave) throw new ApiError('invoice_pdf_failed', { detail: 'Too many PDFs are being made. Try again in a moment.' });
    if (running >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(owner, resolve));
    else running += 1;
    try {
      return await inThread(invoice);
    } catch (error) {
      log.error({ err: error, invoice: invoice.id }, 'generating an invoice PDF failed');
      throw new ApiError('invoice_pdf_failed', { cause: error });
    } finally {
      handOn();
      leave();
    }
  };
}

async function inThread(invoice: InvoiceDetail): Promise<Buffer> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    workerData: invoice,
  });
  // The thread does not delay the server's exit.
  worker.unref();
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const timer = setTimeout(() => reject(new Error(`The PDF took longer than ${limitMs / 1000} s.`)), limitMs);
  worker.on('message', resolve);
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The thread that makes the PDF ended without it.')));
  try {
    return Buffer.from(await promise);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
