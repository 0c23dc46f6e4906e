import type { Tx } from '../../db/connect.ts';
import type { Actor } from '../../http/actor.ts';
import { needScope } from '../../http/need-scope.ts';
import { checkedName } from './checked-name.ts';
import type { OpenedProject, ProjectStore } from './store.ts';

/**
 * The project that a call names, for the transaction that needs it: the team's project of that name, which is created there if it does not exist.
 * Throws input_invalid for the name at once; the returned function throws scope_missing and plan_limit_reached.
 */
export type NameProject = (actor: Actor, wanted: { id: string; typed: string }) => (tx: Tx) => Promise<OpenedProject>;

export const nameProject =
  (store: ProjectStore): NameProject =>
  (actor, { id, typed }) => {
    const name = checkedName(typed, 'project_name');
    return (tx) => store.named(tx, actor.team_id, { id, name, isAllowed: () => needScope(actor, 'projects:write') });
  };
