import { storedRedacted } from '@paddock/contract/data-protection';
import { piiTypes } from '@paddock/pii/types';
import type { Parts } from '../../../../parts.ts';
import { settingsFrom } from '../../../../protection/settings.ts';
import type { Control, Found } from '../../control.ts';
import { counted, failed, passed, type Subject } from './finding.ts';
import { liveProtectionStore, type ProtectedProject } from './protection-store.ts';

/** PII-01: every project with an agent that serves has all types redacted in what is stored, log lines included. */
export function redaction({ sql }: Pick<Parts, 'sql'>): Control {
  const store = liveProtectionStore(sql);
  return {
    id: 'PII-01',
    of: 'team',
    async check(team_id) {
      const projects = await store.live(team_id);
      return {
        looked_at: `The data protection of ${counted(projects.length, 'project')} with an agent that serves.`,
        absence: 'No project has an agent that serves.',
        resources: projects.map(look),
      };
    },
  };
}

function look({ project_id, name, settings, agents }: ProtectedProject): Found {
  const subject: Subject = { type: 'project', id: project_id, name };
  const wanted = settingsFrom(settings);
  const redacted = storedRedacted(wanted);
  const kept = piiTypes.filter((type) => !redacted.includes(type));
  const evidence = {
    agents,
    redacted,
    kept,
    redact_logs: wanted.redact_logs,
    keep_span_content: wanted.keep_span_content,
    bodies: wanted.bodies,
  };
  const faults = [
    ...(kept.length > 0 ? [`${kept.join(', ')} may be stored as it is in bodies, spans and lines`] : []),
    ...(wanted.redact_logs ? [] : ['log lines are stored as the agent printed them']),
  ];
  if (faults.length === 0)
    return passed(subject, { finding: 'Bodies, spans and log lines are redacted before they are stored, for all types.', evidence });
  const fix = {
    text: 'In the data protection of the project, redact log lines and have no type allowed.',
    path: `/settings?tab=data-protection&project=${project_id}`,
  };
  return failed(subject, { finding: `Of this project ${faults.join(', and ')}.`, evidence, fix });
}
