import { statfs } from 'node:fs/promises';
import type { RequestFigures } from '../../../http/request-figures.ts';
import type { Family } from './text.ts';

export interface Disk {
  place: 'data' | 'archives';
  free_bytes: number;
  size_bytes: number;
}

/** The disks of this server's data, and of its archives if they lie elsewhere. A disk that cannot be queried is omitted. */
export async function readDisks({ dataDir, blobDir }: { dataDir: string; blobDir: string }): Promise<Disk[]> {
  const places = blobDir.startsWith(`${dataDir}/`)
    ? ([['data', dataDir]] as const)
    : ([
        ['data', dataDir],
        ['archives', blobDir],
      ] as const);
  const found = await Promise.all(
    places.map(async ([place, path]) => {
      const disk = await statfs(path).catch(() => undefined);
      return disk ? [{ place, free_bytes: disk.bavail * disk.bsize, size_bytes: disk.blocks * disk.bsize }] : [];
    }),
  );
  return found.flat();
}

/** Metrics of the responding server: others have their own figures. */
export const serverFamilies = (requests: Pick<RequestFigures, 'counts' | 'durations'>, disks: readonly Disk[]): Family[] => [
  {
    name: 'paddock_api_requests_total',
    type: 'counter',
    help: 'Requests that the server which answers here has answered since its start, by call and class of the answer.',
    samples: requests.counts().map(({ method, route, code, count }) => ({ labels: { method, route, code }, value: count })),
  },
  durationFamily(requests.durations()),
  {
    name: 'paddock_disk_free_bytes',
    type: 'gauge',
    help: 'Space that is left to the server which answers here.',
    samples: disks.map(({ place, free_bytes }) => ({ labels: { place }, value: free_bytes })),
  },
  {
    name: 'paddock_disk_size_bytes',
    type: 'gauge',
    help: 'Size of that disk.',
    samples: disks.map(({ place, size_bytes }) => ({ labels: { place }, value: size_bytes })),
  },
];

function durationFamily({ count, seconds, buckets }: ReturnType<RequestFigures['durations']>): Family {
  const labelled = [...buckets.map((bucket) => ({ ...bucket, le: String(bucket.bound) })), { le: '+Inf', count }];
  return {
    name: 'paddock_api_request_duration_seconds',
    type: 'histogram',
    help: 'How long calls of the API took at the server which answers here, without those that wait on purpose.',
    samples: [
      ...labelled.map((bucket) => ({ suffix: '_bucket', labels: { le: bucket.le }, value: bucket.count })),
      { suffix: '_sum', labels: {}, value: seconds },
      { suffix: '_count', labels: {}, value: count },
    ],
  };
}
