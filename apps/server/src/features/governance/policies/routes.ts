import { advisoryEffect, type Policy, policies, type UnderstoodRule, understandRule } from '@paddock/contract';
import { entityTag } from '../../../http/entity-tag.ts';
import { serve } from '../../../http/serve.ts';
import type { ActiveRules } from './active-rules.ts';
import type { DryRuns } from './dry-run/dry-run.ts';
import type { PolicyRow, PolicyStore } from './store.ts';

interface PolicyParts {
  store: PolicyStore;
  active: Pick<ActiveRules, 'forget'>;
  dryRun: DryRuns;
}

export const policyRoutes = ({ store, active, dryRun }: PolicyParts) =>
  serve(policies, {
    list: async (_, { actor }) => ({ policies: (await store.list(actor.team_id)).map(withEffects) }),

    get: async ({ id }, { actor }) => withEffects(await store.get(actor.team_id, id)),

    async create(given, { actor, newId }) {
      const row = await store.create(actor.team_id, newId('pol'), given);
      active.forget(actor.team_id);
      return withEffects(row);
    },

    async update({ id, ...given }, { actor, mustMatch }) {
      const row = await store.replace(actor.team_id, { id, given }, (current) => mustMatch(withEffects(current).etag));
      active.forget(actor.team_id);
      return withEffects(row);
    },

    async delete({ id }, { actor, mustMatch }) {
      await store.remove(actor.team_id, id, (current) => mustMatch(withEffects(current).etag));
      active.forget(actor.team_id);
      return null;
    },

    dryRun: ({ rules }, { actor }) => dryRun(actor.team_id, rules),
  });

function withEffects(row: PolicyRow): Policy {
  const shown = { ...row, understood: row.rules.map(understood) };
  return { ...shown, etag: entityTag(shown) };
}

function understood(rule: string): UnderstoodRule {
  const effect = understandRule(rule)?.effect;
  return { rule, is_enforced: effect !== undefined, effect: effect ?? advisoryEffect(rule) };
}
