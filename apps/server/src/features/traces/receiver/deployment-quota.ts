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

/** Who may send how much now. What is remembered of a deployment is forgotten when others need the room. */
export function deploymentQuota(bounds: ReceiverLimits, now: () => number = Date.now) {
  const byDeployment = new Map<string, QuotaEntry>();
  const places = fairPlaces(bounds.allSendings);

  function shareOf(deployment_id: string): QuotaEntry {
    const minute = Math.floor(now() / 60_000);
    const hour = Math.floor(minute / 60);
    const share = byDeployment.get(deployment_id) ?? { underWay: 0, minute, bytes: 0, spans: 0, hour, models: new Set<string>() };
    if (share.minute !== minute) Object.assign(share, { minute, bytes: 0, spans: 0 });
    if (share.hour !== hour) Object.assign(share, { hour, models: new Set<string>() });
    // The last one that was asked for stands last: the first is whoever was silent for longest.
    byDeployment.delete(deployment_id);
    byDeployment.set(deployment_id, share);
    if (byDeployment.size > bounds.deployments) byDeployment.delete(byDeployment.keys().next().value!);
    return share;
  }

  return {
    /** Undefined if too many of the deployment or of its team are under way; else ends this one. */
    begin({ deployment_id, team_id }: { deployment_id: string; team_id: string }): (() => void) | undefined {
      const share = shareOf(deployment_id);
      const leave = share.underWay < bounds.sendings ? places.take(team_id) : undefined;
      if (!leave) return undefined;
      share.underWay += 1;
      return () => {
        share.underWay -= 1;
        leave();
      };
    },
    isSpent: (deployment_id: string): boolean => shareOf(deployment_id).bytes >= bounds.bytesAMinute,
    /** For the work that bytes make, whatever becomes of them. */
    charge(deployment_id: string, bytes: number): void {
      shareOf(deployment_id).bytes += bytes;
    },
    /** How many of so many spans may be stored. */
    takeSpans(deployment_id: string, wanted: number): number {
      const share = shareOf(deployment_id);
      const taken = Math.min(wanted, bounds.spansAMinute - share.spans);
      share.spans += taken;
      return taken;
    },
    /** The name under which the calls of a model are counted: an agent chooses names, and each makes rows. */
    countedAs(deployment_id: string, model: string): string {
      const { models } = shareOf(deployment_id);
      if (models.has(model)) return model;
      if (models.size >= bounds.models) return 'other models';
      models.add(model);
      return model;
    },
  };
}
