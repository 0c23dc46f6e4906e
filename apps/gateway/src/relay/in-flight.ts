import type { Limits } from '../limits.ts';

interface Counts {
  all: number;
  byNetwork: Map<string, number>;
}

/** Requests and WebSockets in progress, by deployment and by the visitor's network. Counts of zero take no memory. */
export function inFlightCounts(limits: Limits) {
  const requests = new Map<string, Counts>();
  const webSockets = new Map<string, Counts>();

  return { enter, leave };

  /** Counts one more; false, and counts nothing, if the deployment or the visitor is at its cap. */
  function enter(deploymentId: string, network: string, isWebSocket: boolean): boolean {
    const kind = isWebSocket ? webSockets : requests;
    const [most, maxOfOne] = isWebSocket
      ? [limits.webSocketsPerDeployment, limits.webSocketsPerVisitor]
      : [limits.inFlightPerDeployment, limits.inFlightPerVisitor];
    let counts = kind.get(deploymentId);
    if (counts === undefined) kind.set(deploymentId, (counts = { all: 0, byNetwork: new Map() }));
    const own = counts.byNetwork.get(network) ?? 0;
    if (counts.all >= most || own >= maxOfOne) return false;
    counts.all += 1;
    counts.byNetwork.set(network, own + 1);
    return true;
  }

  function leave(deploymentId: string, network: string, isWebSocket: boolean): void {
    const kind = isWebSocket ? webSockets : requests;
    const counts = kind.get(deploymentId);
    if (counts === undefined) return;
    counts.all -= 1;
    const own = counts.byNetwork.get(network)! - 1;
    if (own > 0) counts.byNetwork.set(network, own);
    else counts.byNetwork.delete(network);
    if (counts.all === 0) kind.delete(deploymentId);
  }
}
