import { parentPort } from 'node:worker_threads';
import type { PackagePlace } from './package.ts';
import { readPlaces } from './read-places.ts';

parentPort?.on('message', (places: PackagePlace[]) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
  parentPort?.postMessage(readPlaces(places));
});
