import { storedRedacted } from '@paddock/contract/data-protection';
import { piiTypes } from '@paddock/pii/types';
import { settingsFrom } from '../../../../protection/settings.ts';
import { clausesBut } from '../../clause-limits.ts';
import type { Control, ControlFinding } from '../../control.ts';
import type { ControlDeps } from '../../control-deps.ts';
import { count, failed, passed, type Subject } from '../../finding.ts';
import { liveProtectionStore, type ProtectedProject } from './protection-store.ts';

const absence = 'No project has an agent that serves.';
const looked_at = (projects: readonly ProtectedProject[]) =>
  `The data protection of ${count(projects.length, 'project')} with an agent that serves.`;
const subjectOf = ({ project_id: id, name }: ProtectedProject): Subject => ({ type: 'project', id, name });
const pathOf = ({ project_id }: ProtectedProject) => `/settings?tab=data-protection&project=${project_id}`;

/** PII-01: every project with a serving agent redacts all types in stored data. */
export function redactionControl({ sql }: Pick<ControlDeps, 'sql'>): Control {
  const store = liveProtectionStore(sql);
  return {
    id: 'PII-01',
    of: 'team',
    async check(team_id) {
      const projects = await store.live(team_id);
      return { looked_at: looked_at(projects), absence, resources: projects.map(judgeTypes) };
    },
  };
}

/** PII-04: every project with a serving agent redacts its log lines before they are stored. */
export function logRedactionControl({ sql }: Pick<ControlDeps, 'sql'>): Control {
  const store = liveProtectionStore(sql);
  return {
    id: 'PII-04',
    of: 'team',
    async check(team_id) {
      const projects = await store.live(team_id);
      return { looked_at: looked_at(projects), absence, resources: projects.map(judgeLogs) };
    },
  };
}

function judgeTypes(project: ProtectedProject): ControlFinding {
  const wanted = settingsFrom(project.settings);
  const redacted = storedRedacted(wanted);
  const kept = piiTypes.filter((type) => !redacted.includes(type));
  const { keep_span_content, bodies } = wanted;
  const evidence = { agents: project.agents, redacted, kept, keep_span_content, bodies };
  if (kept.length === 0) return passed(subjectOf(project), 'Bodies and spans are redacted for all types before they are stored.', evidence);
  const finding = `This project may store ${kept.join(', ')} unmasked in bodies, spans and log lines.`;
  const fix = { text: 'In the data protection of the project, have no type allowed.', path: pathOf(project) };
  // PCI DSS concerns only cards.
  const clauses = kept.includes('Credit Card') ? null : clausesBut('PII-01', 'pci-dss');
  return failed(subjectOf(project), [{ finding, clauses }], { evidence, fix });
}

function judgeLogs(project: ProtectedProject): ControlFinding {
  const { redact_logs } = settingsFrom(project.settings);
  const evidence = { agents: project.agents, redact_logs };
  if (redact_logs) return passed(subjectOf(project), 'Log lines are redacted before they are stored.', evidence);
  const fix = { text: 'In the data protection of the project, redact log lines.', path: pathOf(project) };
  return failed(subjectOf(project), 'Log lines of this project are stored as the agent printed them.', { evidence, fix });
}
