import type { ModelProvider } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql } from '../../../db/connect.ts';
import { lockTeam } from '../../../db/lock-team.ts';

export type ModelProviderStore = ReturnType<typeof modelProviderStore>;

/** All SQL about the model providers that teams allow. */
export const modelProviderStore = (sql: Sql) => ({
  list: (team_id: string) => sql<ModelProvider[]>`
    select provider, region, agreement, note
    from model_providers
    where team_id = ${team_id}
    order by provider`,

  /** Concurrent saves do not mix: the list is that of the later one. */
  async replace(team_id: string, providers: readonly ModelProvider[]): Promise<void> {
    await sql.begin(async (tx) => {
      await lockTeam(tx, team_id);
      await tx`
        delete from model_providers
        where team_id = ${team_id}`;
      await tx`
        insert into model_providers (team_id, provider, region, agreement, note)
        select ${team_id}, lower(provider), region, agreement, note
        from jsonb_to_recordset(${tx.json(providers)}) as given (provider text, region text, agreement text, note text)`;
      await recordAction(tx, team_id, { input: { providers: providers.map(({ provider }) => provider.toLowerCase()) } });
    });
  },
});
