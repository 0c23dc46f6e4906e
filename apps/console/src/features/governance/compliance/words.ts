import type { ControlState, FrameworkId } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import type { Tone } from '../../../ui/feedback/Badge.tsx';
import type { GlyphName } from '../../../ui/theme/Glyph.tsx';

export interface Look {
  tone: Tone;
  glyph: GlyphName;
  word: string;
}

const frameworkLooks: Record<string, Look> = {
  compliant: { tone: 'success', glyph: 'tick', word: 'Compliant' },
  in_review: { tone: 'info', glyph: 'ring', word: 'In review' },
  non_compliant: { tone: 'error', glyph: 'cross', word: 'Non-compliant' },
};

/** An unknown status from a newer server is shown as a warning, as received. */
export const frameworkLook = (status: string): Look =>
  (Object.hasOwn(frameworkLooks, status) ? frameworkLooks[status] : undefined) ?? {
    tone: 'warning',
    glyph: 'triangle',
    word: status.replaceAll('_', ' '),
  };

const notVerified: Look = { tone: 'neutral', glyph: 'bar', word: 'Not verified' };
const controlLooks: Record<string, Look> = {
  passed: { tone: 'success', glyph: 'tick', word: 'Passed' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
  unverified: notVerified,
  not_applicable: { tone: 'neutral', glyph: 'ring', word: 'Not applicable' },
};

/** The look of a control or a resource. A stale result is never green. */
export function controlLook({ status, is_stale = false, is_waived = false }: Pick<ControlState, 'status'> & Partial<ControlState>): Look {
  const look = controlLooks[status] ?? notVerified;
  if (status === 'failed' && is_waived) return { tone: 'neutral', glyph: 'square', word: 'Waived' };
  return status === 'passed' && is_stale ? { tone: 'warning', glyph: 'arc', word: 'Stale' } : look;
}

export const violationsText = (count: number) => plural(count, 'violation');

export const percentText = (percent: number) => `${(Math.floor(percent * 10) / 10).toLocaleString('en')}%`;

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** 'every day', 'every 5 minutes'. */
export function everyText(seconds: number): string {
  const [size, word] = units.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 'second'];
  const count = seconds / size;
  return count === 1 ? `every ${word}` : `every ${count.toLocaleString('en')} ${word}s`;
}

export const descriptions: Record<FrameworkId, string> = {
  gdpr: 'The General Data Protection Regulation of the European Union: lawful processing of personal data, the rights of the people it is about, and its security.',
  soc2: 'The trust services criteria of the AICPA, judged over a period of time: security, availability, processing integrity, confidentiality and privacy.',
  hipaa: 'The security rule of the US Health Insurance Portability and Accountability Act: safeguards for electronic health information.',
  iso27001: 'The international standard for managing information security, with the controls of its Annex A in the edition of 2022.',
  ccpa: 'The California Consumer Privacy Act: what consumers may know, delete and correct, and reasonable security for their data.',
  'pci-dss': 'The Payment Card Industry Data Security Standard: how card data is stored, processed and sent.',
};
export const readiness = 'Paddock shows what software can check. A certificate or an attestation requires an auditor.';

export const messages = {
  overview: 'The compliance status could not be loaded. Checks continue.',
  details: 'Failed to load compliance details',
  started: 'Compliance check initiated successfully!',
  startFailed: 'Failed to run compliance check',
  allPassed: 'No violations found. All compliance checks passed!',
  evidenceFailed: 'Failed to download the evidence',
  control: 'The control could not be loaded.',
} as const;
