import { storedRedacted } from '@paddock/contract/data-protection';
import { piiTypes } from '@paddock/pii/types';
import { settingsFrom } from '../../../../protection/settings.ts';
import { clausesBut } from '../clause-limits.ts';
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

/** PII-01: every project with a serving agent redacts all types in stored data. */
export function redactionControl({ sql }: Pick<ControlDeps, 'sql'>): Control {
  return {
    id: 'PII-01',
    of: 'team',
    async check(team_id) {
      const projects = await loadServingProjects(sql, team_id);
      return { looked_at: servingProjectsText(projects), absence: noServingProject, resources: projects.map(judgeTypes) };
    },
  };
}

function judgeTypes(project: ServingProject): ControlFinding {
  const wanted = settingsFrom(project.settings);
  const redacted = storedRedacted(wanted);
  const kept = piiTypes.filter((type) => !redacted.includes(type));
  const { keep_span_content, bodies } = wanted;
  const evidence = { agents: project.agents, redacted, kept, keep_span_content, bodies };
  if (kept.length === 0)
    return passed(projectSubject(project), 'Bodies and spans are redacted for all types before they are stored.', evidence);
  const finding = `This project may store ${kept.join(', ')} unmasked in bodies, spans and log lines.`;
  const fix = { text: 'In the data protection of the project, have no type allowed.', path: dataProtectionPath(project) };
  // PCI DSS concerns only cards.
  const clauses = kept.includes('Credit Card') ? null : clausesBut('PII-01', 'pci-dss');
  return failed(projectSubject(project), [{ finding, clauses }], { evidence, fix });
}
