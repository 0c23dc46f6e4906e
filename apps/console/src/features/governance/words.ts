import type { AuditActionType, AuditLog, AuditStatus, Lineage } from '@paddock/contract';
import { governanceLimits } from '@paddock/contract/limits';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  Bot,
  Eye,
  type LucideIcon,
  MessageSquare,
  Rocket,
  ScanText,
  Send,
  SlidersHorizontal,
  Stamp,
  TriangleAlert,
  Wrench,
} from 'lucide-react';
import type { Tone } from '../../ui/feedback/Badge.tsx';
import type { GlyphName } from '../../ui/theme/Glyph.tsx';

export const typeLooks = {
  request: { word: 'Request', icon: ArrowDownToLine },
  response: { word: 'Response', icon: ArrowUpFromLine },
  deployment: { word: 'Deployment', icon: Rocket },
  configuration: { word: 'Configuration', icon: SlidersHorizontal },
  data_access: { word: 'Data access', icon: Eye },
  error: { word: 'Error', icon: TriangleAlert },
} as const satisfies Record<AuditActionType, { word: string; icon: LucideIcon }>;

export const statusLooks = {
  success: { tone: 'success', glyph: 'tick', word: 'Success' },
  warning: { tone: 'warning', glyph: 'triangle', word: 'Warning' },
  error: { tone: 'error', glyph: 'cross', word: 'Error' },
} as const satisfies Record<AuditStatus, { tone: Tone; glyph: GlyphName; word: string }>;

export const stageLooks = {
  received: { word: 'Received', icon: ArrowDownToLine },
  scanned: { word: 'Scanned', icon: ScanText },
  forwarded: { word: 'Forwarded', icon: Send },
  agent: { word: 'Agent', icon: Bot },
  model: { word: 'Model', icon: MessageSquare },
  tool: { word: 'Tool', icon: Wrench },
  answered: { word: 'Answered', icon: ArrowUpFromLine },
  recorded: { word: 'Recorded', icon: Stamp },
} as const satisfies Record<Lineage['stages'][number]['stage'], { word: string; icon: LucideIcon }>;

export const actorWords = {
  person: 'person',
  key: 'API key',
  visitor: 'visitor',
  agent: 'agent',
  platform: 'Paddock',
} as const satisfies Record<AuditLog['actor']['type'], string>;

/** '128', or '10,000+' at the counting limit. Without a count, the number of shown records is used. */
export function matchesText(count: number | null, { shown, hasMore }: { shown: number; hasMore: boolean }): string {
  if (count === null) return `${shown.toLocaleString('en')}${hasMore ? '+' : ''}`;
  return count >= governanceLimits.counted ? `${governanceLimits.counted.toLocaleString('en')}+` : count.toLocaleString('en');
}

export const shareOf = (count: number, all: number): string => `${all > 0 ? ((count / all) * 100).toFixed(1) : '0.0'}%`;

export const messages = {
  logs: 'The audit trail could not be loaded. Recording continues.',
  log: 'The record could not be loaded.',
  summary: 'The state of the audit trail could not be loaded. Recording continues.',
  pii: 'The PII detection figures could not be loaded. Redaction continues.',
  lineage: 'The lineage could not be loaded.',
  exported: 'Audit logs exported successfully!',
  exportFailed: 'Failed to export audit logs',
} as const;
