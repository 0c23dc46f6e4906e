import { type AlertRule, type AlertRuleName, ApiError, alertRuleNames, alertRules } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql } from '../../../db/connect.ts';

export type AlertRuleStore = ReturnType<typeof alertRuleStore>;

export interface Setting {
  is_on: boolean;
  threshold: number;
}
interface Change {
  rule: AlertRuleName;
  is_on?: boolean | undefined;
  threshold?: number | undefined;
}
interface Row extends Setting {
  rule: AlertRuleName;
}

/** All SQL about the rule settings of teams. */
export const alertRuleStore = (sql: Sql) => {
  const checkProject = async (team_id: string, project_id: string) => {
    const [project] = await sql`
      select 1
      from projects
      where team_id = ${team_id}
        and id = ${project_id}
        and deleting_at is null`;
    if (!project) throw new ApiError('project_not_found');
  };

  const readRows = (team_id: string, project_id: string) => sql<Row[]>`
    select rule, is_on, threshold
    from alert_rules
    where team_id = ${team_id}
      and project_id = ${project_id}`;

  return {
    async list(team_id: string, project_id: string): Promise<AlertRule[]> {
      await checkProject(team_id, project_id);
      const rows = new Map((await readRows(team_id, project_id)).map((row) => [row.rule, row]));
      return alertRuleNames.map((rule) => shown(rule, rows.get(rule)));
    },

    async get(team_id: string, project_id: string, rule: AlertRuleName): Promise<AlertRule> {
      await checkProject(team_id, project_id);
      const rows = await readRows(team_id, project_id);
      return shown(
        rule,
        rows.find((row) => row.rule === rule),
      );
    },

    async change(team_id: string, project_id: string, { rule, is_on, threshold }: Change) {
      await checkProject(team_id, project_id);
      const { isOn, threshold: usual } = alertRules[rule];
      return sql.begin(async (tx) => {
        const [row] = await tx<[Row]>`
          insert into alert_rules as r (team_id, project_id, rule, is_on, threshold)
          values (${team_id}, ${project_id}, ${rule}, ${is_on ?? isOn}, ${threshold ?? usual})
          on conflict (project_id, rule) do update
          set is_on = coalesce(${is_on ?? null}, r.is_on), threshold = coalesce(${threshold ?? null}, r.threshold)
          returning rule, is_on, threshold`;
        await recordAction(tx, project_id);
        return shown(rule, row);
      });
    },

    async reset(team_id: string, project_id: string, rule: AlertRuleName): Promise<void> {
      await checkProject(team_id, project_id);
      await sql.begin(async (tx) => {
        const [changed] = await tx`
          delete from alert_rules
          where team_id = ${team_id}
            and project_id = ${project_id}
            and rule = ${rule}
          returning 1`;
        if (changed) await recordAction(tx, project_id);
      });
    },

    /** Team and name of these projects. */
    projects: (ids: readonly string[]) => sql<{ project_id: string; team_id: string; name: string }[]>`
      select id as project_id, team_id, name
      from projects
      where id = any(${ids as string[]})
        and deleting_at is null`,

    /** The settings of these projects, of any team, by project and rule. */
    async readSettings(project_ids: readonly string[]): Promise<(project_id: string, rule: AlertRuleName) => Setting> {
      const rows = await sql<(Row & { project_id: string })[]>`
        select project_id, rule, is_on, threshold
        from alert_rules
        where project_id = any(${project_ids as string[]})`;
      const changed = new Map(rows.map((row) => [`${row.project_id} ${row.rule}`, row]));
      return (project_id, rule) => changed.get(`${project_id} ${rule}`) ?? usualOf(rule);
    },
  };
};

const usualOf = (rule: AlertRuleName): Setting => ({ is_on: alertRules[rule].isOn, threshold: alertRules[rule].threshold });

function shown(rule: AlertRuleName, row: Setting | undefined): AlertRule {
  const { label, unit } = alertRules[rule];
  const usual = usualOf(rule);
  const { is_on, threshold } = row ?? usual;
  return { rule, label, unit, is_on, threshold, is_default: is_on === usual.is_on && threshold === usual.threshold };
}
