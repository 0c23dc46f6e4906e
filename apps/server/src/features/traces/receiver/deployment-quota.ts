import { fairPlaces } from '@paddock/network';
import type { ReceiverLimits } from './limits.ts';

interface QuotaEntry {
  underWay: number;
  minute: number;
  bytes: number;
  spans: number;
  hour: number;
  models: Set<string>;
}

export type DeploymentQuota = ReturnType<typeof deploymentQuota>;

/** Quotas of deployments. The state of the longest silent deployment is dropped when others need the room. */
export function deploymentQuota(bounds: ReceiverLimits, now: () => number = Date.now) {
  const byDeployment = new Map<string, QuotaEntry>();
  const places = fairPlaces(bounds.allSendings);

  function refreshEntry(deployment_id: string): QuotaEntry {
    const minute = Math.floor(now() / 60_000);
    const hour = Math.floor(minute / 60);
    const share = byDeployment.get(deployment_id) ?? { underWay: 0, minute, bytes: 0, spans: 0, hour, models: new Set<string>() };
    if (share.minute !== minute) Object.assign(share, { minute, bytes: 0, spans: 0 });
    if (share.hour !== hour) Object.assign(share, { hour, models: new Set<string>() });
    // Moves it to the end: the first one is the longest silent.
    byDeployment.delete(deployment_id);
    byDeployment.set(deployment_id, share);
    if (byDeployment.size > bounds.deployments) byDeployment.delete(byDeployment.keys().next().value!);
    return share;
  }

  return {
    /** Undefined if the deployment or its team has too many requests in progress; otherwise returns a function that ends this one. */
    begin({ deployment_id, team_id }: { deployment_id: string; team_id: string }): (() => void) | undefined {
      const share = refreshEntry(deployment_id);
      const leave = share.underWay < bounds.sendings ? places.take(team_id) : undefined;
      if (!leave) return undefined;
      share.underWay += 1;
      return () => {
        share.underWay -= 1;
        leave();
      };
    },
    isSpent: (deployment_id: string): boolean => refreshEntry(deployment_id).bytes >= bounds.bytesAMinute,
    /** Charges the work that bytes cause, whatever the outcome. */
    charge(deployment_id: string, bytes: number): void {
      refreshEntry(deployment_id).bytes += bytes;
    },
    /** Returns how many of the spans may be stored. */
    takeSpans(deployment_id: string, wanted: number): number {
      const share = refreshEntry(deployment_id);
      const taken = Math.min(wanted, bounds.spansAMinute - share.spans);
      share.spans += taken;
      return taken;
    },
    /** The name under which the calls of a model are counted: an agent chooses names, and each creates rows. */
    countedAs(deployment_id: string, model: string): string {
      const { models } = refreshEntry(deployment_id);
      if (models.has(model)) return model;
      if (models.size >= bounds.models) return 'other models';
      models.add(model);
      return model;
    },
  };
}
