import { join } from 'node:path';
import type { Log } from '../../../log.ts';
import { freePort } from '../../../process/free-port.ts';
import type { Seal } from '../../../secrets/seal.ts';
import { tokenKey } from '../../../secrets/token-key.ts';
import { credentialHeader, credentialKey, credentialOf } from './credential.ts';
import { startReceiver } from './start.ts';

const MAX_STARTS = 5;

interface Deps {
  seal: Seal;
  log: Log;
  databaseUrl: string;
  dataDir: string;
}

/** The receiver of this node, on a port that stays the same: agents outlive the server. */
export async function startTraces({ seal, log, databaseUrl, dataDir }: Deps) {
  const key = credentialKey(seal);
  const receiver = await startOnFreePort(join(dataDir, 'otlp.port'), {
    log,
    databaseUrl,
    key,
    tokenKey: tokenKey(seal),
    secretKeys: seal.keys(),
  });
  return {
    port: receiver.port,
    toTelemetry: (deployment_id: string) => ({
      port: receiver.port,
      header: `${credentialHeader}=${credentialOf(key, deployment_id)}`,
    }),
    close: receiver.close,
  };
}

/** Chooses another port if a program took the port between the choice and the start. */
async function startOnFreePort(file: string, input: Omit<Parameters<typeof startReceiver>[0], 'port'>) {
  for (let start = 1; ; start++) {
    try {
      return await startReceiver({ ...input, port: await freePort(file) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || start === MAX_STARTS) throw error;
    }
  }
}
