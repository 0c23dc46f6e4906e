import type { Variable } from '@paddock/contract';
import { dayMs } from '@paddock/contract/time';
import { sampleProjectId } from '../../projects/demo/samples.ts';

const samples: Pick<Variable, 'key' | 'environment' | 'available_at_build'>[] = [
  { key: 'OPENAI_API_KEY', environment: 'production', available_at_build: false },
  { key: 'TICKETS_URL', environment: 'production', available_at_build: false },
  { key: 'PUBLIC_SITE_NAME', environment: 'production', available_at_build: true },
  { key: 'OPENAI_API_KEY', environment: 'preview', available_at_build: false },
];

export const sampleVariables = (now: number): (Variable & { project_id: string })[] =>
  samples.map((sample, index) => ({
    project_id: sampleProjectId('support-router'),
    ...sample,
    updated_at: new Date(now - (index + 1) * 5 * dayMs).toISOString(),
  }));
