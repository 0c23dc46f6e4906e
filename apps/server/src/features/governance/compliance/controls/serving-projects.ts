import { plural } from '@paddock/contract/plural';
import type { Sql } from '../../../../db/connect.ts';
import { type Subject } from '../finding.ts';

const maxProjects = 2_000;

export interface ServingProject {
  project_id: string;
  name: string;
  /** The stored settings; null if the project has the defaults. */
  settings: unknown;
  agents: number;
}

export const noServingProject = 'No project has an agent that serves.';
export const servingProjectsText = (projects: readonly ServingProject[]) =>
  `The data protection of ${plural(projects.length, 'project')} with an agent that serves.`;
export const projectSubject = ({ project_id: id, name }: ServingProject): Subject => ({ type: 'project', id, name });
export const dataProtectionPath = ({ project_id }: ServingProject) => `/settings?tab=data-protection&project=${project_id}`;

/** The team's projects with agents that serve now, with their data protection settings. */
export const loadServingProjects = (sql: Sql, team_id: string) => sql<ServingProject[]>`
  select p.id as project_id, p.name, s.settings, count(*)::int as agents
  from deployments d
  join projects p on p.id = d.project_id
  left join data_protection s on s.project_id = p.id
  where d.team_id = ${team_id}
    and d.is_current
    and d.status = 'active'
    and p.deleting_at is null
  group by p.id, p.name, s.settings
  order by p.name, p.id
  limit ${maxProjects}`;
