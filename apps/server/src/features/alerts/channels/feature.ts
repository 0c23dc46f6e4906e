import type { OwnService, Resolve } from '@paddock/network';
import type { Core, Feature } from '../../../core.ts';
import type { Tx } from '../../../db/connect.ts';
import { startDeliveries } from './deliver.ts';
import { deliveryStore } from './delivery-store.ts';
import { queueStore } from './queue-store.ts';
import { channelRoutes } from './routes.ts';
import { createSender } from './send-message.ts';
import { channelStore } from './store.ts';
import { sweepDeliveries } from './sweep.ts';
import { targetGuard } from './target.ts';

interface Alert {
  rule: string;
  severity: 'warning';
  title: string;
  message: string;
}
interface Deps {
  raiseAlert: (tx: Tx, team_id: string, alert: Alert) => Promise<void>;
  clearAlert: (team_id: string, cause: { rule: string }) => Promise<unknown>;
  /** The addresses of managed databases. */
  databasePorts: () => Promise<OwnService[]>;
  /** Replaces DNS. */
  resolve?: Resolve | undefined;
}
interface Exports {
  /** All channels of a team, for display. */
  list: ReturnType<typeof channelStore>['list'];
  /** Sends messages until it is closed. */
  start: () => { close: () => Promise<void> };
}

const rule = 'channel_off';

/** Channels of a team: webhooks and Slack, which are notified of alerts and deployments. */
export function channelFeature(core: Core, { raiseAlert, clearAlert, databasePorts, resolve }: Deps): Feature<Exports> {
  const { sql, seal, config, services, limit, changes, log } = core;
  const store = channelStore(sql, seal);
  const deliveries = deliveryStore(sql);
  const findTarget = targetGuard({
    egressAllow: config.egressAllow,
    services: async () => [...services, ...(await databasePorts())],
    resolve,
  });
  const tryOnce = createSender({ findTarget, agentUrl: config.agentUrl });

  const switchOff = ({ team_id, channel_id }: { team_id: string; channel_id: string }, reason: string) =>
    store.switchOff(team_id, { id: channel_id, reason }, (tx, names) =>
      raiseAlert(tx, team_id, { rule, severity: 'warning', title: 'A channel was switched off', message: sentence(names, reason) }),
    );

  return {
    routes: [channelRoutes({ store, deliveries, findTarget, tryOnce, limit, clearAlert: (team_id) => clearAlert(team_id, { rule }) })],
    jobs: [{ name: 'channel-delivery.sweep', everySeconds: 3600, run: () => sweepDeliveries(sql) }],
    exports: { list: store.list, start: () => startDeliveries({ queue: queueStore(sql), seal, tryOnce, switchOff, changes, log }) },
  };
}

function sentence(names: string[], reason: string): string {
  const listed = names.map((name) => `"${name}"`).join(', ');
  const which =
    names.length === 1
      ? `The channel ${listed} was switched off`
      : `The channels ${listed} were switched off, the last of them for this reason`;
  return `${which}: ${reason} Mend the other side or the address, then switch it on again in the settings.`;
}
