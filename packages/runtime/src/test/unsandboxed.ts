import { processDriver, type RuntimeDriver } from '../index.ts';
import { log } from './sandboxed.ts';

export const createDriver = (dataDir: string): RuntimeDriver => processDriver({ dataDir, installation: 'test', unsandboxed: true, log });
