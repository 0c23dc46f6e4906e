// Looks through long bodies, so that the thread that serves visitors never stands still for them.
import { parentPort, workerData } from 'node:worker_threads';
import { tokeniser } from '@paddock/pii';
import { type Scanned, type ScanTask, scan } from './scan.ts';

const { tokenKey } = workerData as { tokenKey: Uint8Array | undefined };
const tokenise = tokenKey && tokeniser(tokenKey);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
const tell = (message: 'ready' | Scanned) => parentPort!.postMessage(message);
parentPort!.on('message', (task: ScanTask) => tell(scan(task, tokenise)));
tell('ready');
