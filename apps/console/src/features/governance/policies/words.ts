import type { PolicyStatus, PolicyType } from '@paddock/contract/policy-rules';
import type { Tone } from '../../../ui/feedback/Badge.tsx';
import type { GlyphName } from '../../../ui/theme/Glyph.tsx';

export const typeWords: Record<PolicyType, string> = {
  data_retention: 'Data Retention',
  access_control: 'Access Control',
  data_privacy: 'Data Privacy',
  security: 'Security',
};

export const statusLooks: Record<PolicyStatus, { tone: Tone; glyph: GlyphName; word: string }> = {
  draft: { tone: 'info', glyph: 'ring', word: 'Draft' },
  active: { tone: 'success', glyph: 'disc', word: 'Active' },
  archived: { tone: 'neutral', glyph: 'square', word: 'Archived' },
};

/** Parses one rule per line; blank lines are dropped. */
export const parseRules = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const messages = {
  list: 'The policies could not be loaded. Active policies stay enforced.',
  created: 'Policy created successfully!',
  updated: 'Policy updated successfully!',
  failed: 'Failed to save policy',
  dryRun: 'The refusals could not be counted.',
  deleteFailed: 'The policy could not be deleted.',
} as const;
