import { parentPort, workerData } from 'node:worker_threads';
import type { PackagePlace } from './package.ts';
import { readPlaces } from './read-places.ts';

parentPort?.postMessage(readPlaces(workerData as PackagePlace[]));
