import { parentPort, workerData } from 'node:worker_threads';
import type { InvoiceDetail } from '@paddock/contract';
import { drawInvoice } from './draw.ts';

const bytes = await drawInvoice(workerData as InvoiceDetail);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
parentPort?.postMessage(new Uint8Array(bytes));
