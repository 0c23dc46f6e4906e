import { resolve } from 'node:path';
import type { Policy } from '@paddock/contract';
import type { Context } from '../context.ts';
import { exitCodes, ToolError } from '../failures.ts';
import { clean } from '../terminal.ts';
import { readPolicies, type WantedPolicy } from './read-file.ts';

export interface ApplyOptions {
  check?: boolean;
}

interface Change {
  name: string;
  change: 'create' | 'update' | 'none';
  fields: string[];
}

const compared = ['description', 'type', 'status', 'rules'] as const;

/** Creates and updates the policies of a file. --check changes nothing, and exits with 1 if something would change. */
export async function applyPolicies(context: Context, file: string, { check = false }: ApplyOptions): Promise<number> {
  const wanted = await readPolicies(resolve(context.cwd, file));
  const { api } = await context.server();
  const present = (await api.policies.list()).policies;
  // This check precedes all changes: a name that matches two policies ends the command.
  const steps = wanted.map((policy) => ({ policy, before: namedBy(policy, present) }));
  const changes: Change[] = [];
  for (const { policy, before } of steps) {
    const fields = before ? compared.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(policy[field])) : [];
    const change = detectChange(before, fields);
    if (!check && change === 'create') await api.policies.create(policy);
    if (!check && before && change === 'update') await api.policies.update({ ...policy, id: before.id }, { if_match: before.etag });
    changes.push({ name: policy.name, change, fields });
    if (!context.terminal.json) context.terminal.note(clean(`${policy.name}: ${describeChange(changes.at(-1)!, check)}`));
  }
  const isChanged = changes.some(({ change }) => change !== 'none');
  context.terminal.result({ changes, is_checked_only: check }, '');
  return check && isChanged ? exitCodes.failed : exitCodes.ok;
}

function namedBy({ name }: WantedPolicy, present: readonly Policy[]): Policy | undefined {
  const named = present.filter((policy) => policy.name === name);
  if (named.length < 2) return named[0];
  throw new ToolError(
    'policy_ambiguous',
    `The team has ${named.length} policies named "${name}". Rename or delete all but one; nothing was changed.`,
  );
}

function detectChange(before: Policy | undefined, fields: readonly string[]): Change['change'] {
  if (!before) return 'create';
  return fields.length > 0 ? 'update' : 'none';
}

function describeChange({ change, fields }: Change, check: boolean): string {
  if (change === 'none') return 'as it is';
  if (change === 'create') return check ? 'would be created' : 'created';
  return `${check ? 'would be updated' : 'updated'} (${fields.join(', ')})`;
}
