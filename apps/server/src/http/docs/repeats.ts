import { type Contract, type Route, takesIdempotencyKey, unrepeatable } from '@paddock/contract';
import { table } from './table.ts';

const nameOf = ({ path }: Route) => `\`POST ${path.replace(/:(\w+)/g, '{$1}')}\``;

/** The POSTs without an Idempotency-Key and their reasons, then those with one, as `docs/api.md` lists them. */
export function repeatsMarkdown(contract: Contract): string {
  const posts = Object.values(contract).flatMap((group) => Object.values(group).filter(({ method }) => method === 'POST'));
  const without = posts.filter((route) => !takesIdempotencyKey(route)).map((route) => [nameOf(route), `${unrepeatable(route)}.`]);
  const taking = posts.filter(takesIdempotencyKey).map(nameOf);
  return [...table([['Takes no Idempotency-Key', 'Why'], ...without]), '', `These take it: ${taking.join(', ')}.`].join('\n');
}
