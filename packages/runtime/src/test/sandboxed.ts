import { processDriver, type RuntimeDriver } from '../index.ts';
import type { Log } from '../process/host/log.ts';

export const log: Log = {
  info: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};

export const createDriver = (dataDir: string): RuntimeDriver =>
  processDriver({ dataDir, installation: 'test', spares: { count: 2, egress: { allow: [] } }, log });
