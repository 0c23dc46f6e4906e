import { settingsFrom } from '../../../../protection/settings.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, passed } from '../finding.ts';
import {
  dataProtectionPath,
  loadServingProjects,
  noServingProject,
  projectSubject,
  type ServingProject,
  servingProjectsText,
} from './serving-projects.ts';

/** PII-04: every project with a serving agent redacts its log lines before they are stored. */
export function logRedactionControl({ sql }: Pick<ControlDeps, 'sql'>): Control {
  return {
    id: 'PII-04',
    of: 'team',
    async check(team_id) {
      const projects = await loadServingProjects(sql, team_id);
      return { looked_at: servingProjectsText(projects), absence: noServingProject, resources: projects.map(judgeLogs) };
    },
  };
}

function judgeLogs(project: ServingProject): ControlFinding {
  const { redact_logs } = settingsFrom(project.settings);
  const evidence = { agents: project.agents, redact_logs };
  if (redact_logs) return passed(projectSubject(project), 'Log lines are redacted before they are stored.', evidence);
  const fix = { text: 'In the data protection of the project, redact log lines.', path: dataProtectionPath(project) };
  return failed(projectSubject(project), 'Log lines of this project are stored as the agent printed them.', { evidence, fix });
}
