import { type Residency, residency, type SeenProvider } from '@paddock/contract';
import type { Core, Feature } from '../../../core.ts';
import { serve } from '../../../http/serve.ts';
import { listStores, type StoreParts } from './stores.ts';

interface Deps extends Pick<StoreParts, 'volumes'> {
  countedProviders: (team_id: string) => Promise<{ providers: SeenProvider[]; total: number }>;
  channels: (team_id: string) => Promise<{ name: string; url: string; is_active: boolean }[]>;
}
interface Exports {
  /** Current storage places and receivers of a team's data. */
  residency: (team_id: string) => Promise<Residency>;
}

/** The statement about storage places, receivers of data, and the hosts of model calls. */
export function residencyFeature({ sql, config }: Pick<Core, 'sql' | 'config'>, needs: Deps): Feature<Exports> {
  async function statement(team_id: string): Promise<Residency> {
    const [stores, channels, called] = await Promise.all([
      listStores({ sql, config, volumes: needs.volumes }),
      needs.channels(team_id),
      needs.countedProviders(team_id),
    ]);
    const receivers = [
      ...parseHost({ purpose: 'mail', name: null }, config.smtpUrl),
      ...parseHost({ purpose: 'audit_checkpoints', name: null }, config.auditWebhookUrl),
      ...channels.flatMap(({ name, url, is_active }) => (is_active ? parseHost({ purpose: 'channel', name }, url) : [])),
    ];
    return { made_at: new Date().toISOString(), stores, receivers, models: called.providers, models_total: called.total };
  }
  return {
    routes: [serve(residency, { get: (_input, { actor }) => statement(actor.team_id) })],
    jobs: [],
    exports: { residency: statement },
  };
}

type Receiver = Residency['receivers'][number];

/** Only the host: a URL may contain a password or a secret path. */
function parseHost(receiver: Omit<Receiver, 'host'>, address: string | undefined): Receiver[] {
  const host = address === undefined ? '' : (URL.parse(address)?.hostname ?? '');
  return host === '' ? [] : [{ ...receiver, host }];
}
