import { ApiError, type Received, type TryEvent, tryAgent } from '@paddock/contract';
import { tryLimits } from '@paddock/contract/limits';
import type { Config } from '../../../config/config.ts';
import type { SignedIn } from '../../../http/serve.ts';
import type { withAddresses } from '../rows.ts';
import type { DeploymentStore } from '../store.ts';
import { askAgent } from './ask-agent.ts';
import { resolveGateway } from './gateway.ts';
import { headersFor, refuseCredentials } from './headers.ts';
import { refusalText } from './refusal-text.ts';
import { tryQuota } from './try-quota.ts';

interface Deps {
  store: Pick<DeploymentStore, 'get' | 'noteTry'>;
  addressed: ReturnType<typeof withAddresses>;
  config: Pick<Config, 'host' | 'gatewayPort' | 'asksAtAgentUrl'>;
}

/**
 * Sends a user's request to an agent through the gateway, at the deployment's own address, like that of any visitor. Of the user's API call
 * it contains only what the user wrote for the agent.
 */
export function tryHandler({ store, addressed, config }: Deps) {
  const enter = tryQuota(tryLimits);
  return async ({ id, ...wish }: Received<typeof tryAgent>, { actor, ip, signal }: SignedIn): Promise<AsyncIterable<TryEvent>> => {
    const deployment = addressed(await store.get(actor.team_id, id));
    const url = deployment.deployment_url;
    if (url === null) throw new ApiError('deployment_cannot_answer', { detail: refusalText(deployment) });
    if (Buffer.byteLength(wish.body) > tryLimits.bodyBytes)
      throw new ApiError('body_too_large', { detail: 'The body for the agent is larger than 1 MiB.' });
    refuseCredentials(wish);
    const headers = headersFor(wish, { url, ip });
    enter(actor.team_id, signal);
    await store.noteTry(id);
    return askAgent({ ...wish, headers, gateway: resolveGateway(config, url) }, { signal, limits: tryLimits });
  };
}
