import type { Project } from '@paddock/contract';
import { dayMs } from '@paddock/contract/time';
import { sampleId } from '../../../demo/ids.ts';

/** The sample projects, oldest first. */
export const sampleProjectNames = ['support-router', 'invoice-triage', 'web-scout', 'nightly-eval'] as const;
export type SampleProjectName = (typeof sampleProjectNames)[number];

const descriptions: Record<SampleProjectName, string> = {
  'support-router': 'Reads incoming tickets and hands each to the right team',
  'invoice-triage': 'Checks invoices against orders and flags what does not fit',
  'web-scout': 'Answers questions with sources from the web',
  'nightly-eval': '',
};

export const agentUrl = (project: string, environment: string) =>
  `http://${project}${environment === 'preview' ? '--preview' : ''}.demo.example`;

export const sampleProjects = (now: number): Project[] =>
  sampleProjectNames.map((name, index) => ({
    id: sampleId('prj', index + 1),
    name,
    description: descriptions[name],
    url: agentUrl(name, 'production'),
    created_at: new Date(now - (40 - index * 9) * dayMs).toISOString(),
    deployment_count: 0,
    build_settings: null,
  }));

export const sampleProjectId = (name: SampleProjectName) => sampleId('prj', sampleProjectNames.indexOf(name) + 1);
