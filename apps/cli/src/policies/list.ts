import type { Policy } from '@paddock/contract';
import type { Context } from '../context.ts';
import { clean } from '../terminal.ts';

/** Each policy with its rules, and their enforcement by Paddock. */
export async function listPolicies(context: Context): Promise<void> {
  const { api } = await context.server();
  const answer = await api.policies.list();
  const text = answer.policies.map(describe).join('\n\n');
  context.terminal.result(answer, clean(text === '' ? 'No policies.' : text));
}

const describe = ({ id, name, type, status, understood }: Policy) =>
  [
    `${name} (${id}): ${status}, ${type}`,
    ...understood.map(({ rule, is_enforced, effect }) => `  ${is_enforced ? 'Enforced' : 'Advisory'}  ${rule}\n            ${effect}`),
  ].join('\n');
