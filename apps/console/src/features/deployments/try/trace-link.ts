import type { TryHead } from '@paddock/contract';

/** The address of a response's trace; undefined if the gateway sent no trace id. */
export function traceLink(deploymentId: string, { headers }: Pick<TryHead, 'headers'>): { id: string; href: string } | undefined {
  const id = headers.find(({ name }) => name.toLowerCase() === 'x-trace-id')?.value;
  if (id === undefined || !/^[0-9a-f]{32}$/.test(id)) return undefined;
  return { id, href: `/deployments/${encodeURIComponent(deploymentId)}?${new URLSearchParams({ tab: 'traces', trace: id })}` };
}
