import { join } from 'node:path';
import { freePort } from '../../../free-port.ts';
import type { Log } from '../../../log.ts';
import type { Seal } from '../../../secrets/seal.ts';
import { tokenKey } from '../../../secrets/token-key.ts';
import { credentialHeader, credentialKey, credentialOf } from './credential.ts';
import { startReceiver } from './start.ts';

interface Given {
  seal: Seal;
  log: Log;
  databaseUrl: string;
  dataDir: string;
}

/** The receiver of this node, on a port that stays the same: agents outlive the server. */
export async function startTraces({ seal, log, databaseUrl, dataDir }: Given) {
  const key = credentialKey(seal);
  const receiver = await startReceiver({
    log,
    databaseUrl,
    key,
    tokenKey: tokenKey(seal),
    port: await freePort(join(dataDir, 'otlp.port')),
  });
  return {
    telemetryOf: (deployment_id: string) => ({
      port: receiver.port,
      header: `${credentialHeader}=${credentialOf(key, deployment_id)}`,
    }),
    close: receiver.close,
  };
}
