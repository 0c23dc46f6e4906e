import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import type { Platform } from '../../apps/server/test/platform.ts';
import { diskFigures } from './disk.ts';
import { rowFigures } from './rows.ts';
import { startSampler } from './sampler.ts';
import type { Visits } from './visits.ts';

export type Sample = Awaited<ReturnType<ReturnType<typeof sampler>>>;

type Sources = { sql: Sql; postmaster: () => Promise<number>; heapFile: string };

/** Samples everything that could grow. */
export function sampler(platform: Platform, { sql, postmaster, heapFile }: Sources) {
  const begun = Date.now();
  const look = startSampler();
  const installation = readFileSync(join(platform.dataDir, 'installation'), 'utf8').trim();
  const tag = createHash('sha256')
    .update(`${installation}\0${realpathSync(join(platform.dataDir, 'runtime'))}`)
    .digest('hex')
    .slice(0, 6);
  return async (name: string, visits?: Visits) => {
    const [gateway, database] = [await platform.gatewayPid(), await postmaster()];
    const { server, ...seen } = await look({ gateway, postmaster: database, tag, dataDir: platform.dataDir });
    if (!server) throw new Error(`the server is gone:\n${platform.output()}`);
    return {
      name,
      minute: Math.round((Date.now() - begun) / 6000) / 10,
      server,
      ...seen,
      heap: heapOf(heapFile),
      disk: await diskFigures(platform.dataDir),
      ...(await rowFigures(sql, visits !== undefined)),
      visits: visits?.takeInterval(),
    };
  };
}

function heapOf(file: string): { heap_mb: number; external_mb: number } | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { heap_mb: number; external_mb: number }) : undefined;
}
