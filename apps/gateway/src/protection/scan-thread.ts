// Scans long bodies in a thread, so that they never block the thread that serves visitors.
import { parentPort } from 'node:worker_threads';
import { type Scanned, type ScanTask, scan } from './scan.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
const tell = (message: 'ready' | Scanned) => parentPort!.postMessage(message);
parentPort!.on('message', (task: ScanTask) => tell(scan(task)));
tell('ready');
