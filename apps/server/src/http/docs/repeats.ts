import { type Contract, type Route, takesIdempotencyKey, unrepeatable } from '@paddock/contract';
import { table } from './table.ts';

const nameOf = ({ path }: Route) => `\`POST ${path.replace(/:(\w+)/g, '{$1}')}\``;

/** The POSTs that take no Idempotency-Key with their reasons, then those that take it, as listed in `docs/api.md`. */
export function repeatsMarkdown(contract: Contract): string {
  const posts = Object.values(contract).flatMap((group) => Object.values(group).filter(({ method }) => method === 'POST'));
  const without = posts.filter((route) => !takesIdempotencyKey(route)).map((route) => [nameOf(route), `${unrepeatable(route)}.`]);
  const taking = posts.filter(takesIdempotencyKey).map(nameOf);
  return [...table([['Takes no Idempotency-Key', 'Why'], ...without]), '', `These take it: ${taking.join(', ')}.`].join('\n');
}
