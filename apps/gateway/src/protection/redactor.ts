import type { DataProtectionSettings } from '@paddock/contract/data-protection';
import { type Known, mask, type PiiType, piiTypes, projectTokenKey, tokeniser } from '@paddock/pii';
import { placeholderOf } from './placeholder.ts';

export type Counts = Partial<Record<PiiType, number>>;
export type TextFormat = 'json' | 'text' | 'events';
type Replacement = (type: PiiType, value: string) => string;

export interface Redacted {
  text: string;
  found: Counts | undefined;
}

/** Replaces values in a project's stored texts. */
export interface Redactor {
  redact(text: string, format: TextFormat, known: Known | undefined): Redacted;
  /** Redacts a line of a request; results for short lines are cached. */
  line(text: string, known: Known | undefined): string;
}

/** Size of the cache, and maximum length of a cached line; bounded because visitors choose the lines. */
const maxLines = 500;
const maxLineLength = 300;
const maxRedactors = 200;

/**
 * Creates redactors. Projects with the same actions share one, unless they tokenise: each project has tokens of its own. Without the
 * installation's key values are masked instead of tokenised.
 */
export function redactors(installationKey: Uint8Array | undefined) {
  const made = new Map<string, Redactor>();
  return { of };

  function of(settings: DataProtectionSettings, project_id: string): Redactor {
    const actions = piiTypes.map((type) => settings.rules[type].action);
    const key = actions.includes('tokenise') ? [...actions, project_id].join() : actions.join();
    let redactor = made.get(key);
    if (redactor === undefined) {
      if (made.size >= maxRedactors) made.clear();
      redactor = createTextRedactor(createReplacement(settings, project_id));
      made.set(key, redactor);
    }
    return redactor;
  }

  /** The replacement of values. Allowed types are detected as well, and stay unchanged. */
  function createReplacement({ rules }: DataProtectionSettings, project_id: string): Replacement | undefined {
    const isPlain = piiTypes.every((type) => rules[type].action === 'mask' || rules[type].action === 'block');
    if (isPlain) return undefined;
    const tokenise = installationKey && tokeniser(projectTokenKey(installationKey, project_id));
    return (type, value) => {
      const { action } = rules[type];
      if (action === 'allow') return value;
      return action === 'tokenise' && tokenise !== undefined ? tokenise(type, value) : placeholderOf(type);
    };
  }
}

function createTextRedactor(replacement: Replacement | undefined): Redactor {
  const lines = new Map<string, string>();
  return { redact, line };

  function redact(text: string, format: TextFormat, known: Known | undefined): Redacted {
    const { text: redacted, findings } = mask(text, { format, replacement, known });
    return { text: redacted, found: findings.length === 0 ? undefined : countByType(findings) };
  }

  function line(text: string, known: Known | undefined): string {
    if (text === '') return text;
    // Not cached with known values: any text may hold one.
    const isRemembered = text.length <= maxLineLength && (known === undefined || known.size === 0);
    const before = isRemembered ? lines.get(text) : undefined;
    if (before !== undefined) return before;
    const redacted = redact(text, 'text', known).text;
    if (isRemembered) {
      if (lines.size >= maxLines) lines.clear();
      lines.set(text, redacted);
    }
    return redacted;
  }
}

export function countByType(findings: readonly { type: PiiType }[]): Counts {
  const counts: Counts = {};
  for (const { type } of findings) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

export function addCounts(one: Counts | undefined, other: Counts | undefined): Counts | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const sum = { ...one };
  for (const type of piiTypes) if (other[type] !== undefined) sum[type] = (sum[type] ?? 0) + other[type];
  return sum;
}

/** Merges the counts of two scans of the same body: the higher count of each type. */
export function maxCounts(one: Counts | undefined, other: Counts | undefined): Counts | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const most = { ...one };
  for (const type of piiTypes) if (other[type] !== undefined) most[type] = Math.max(most[type] ?? 0, other[type]);
  return most;
}

/** Numbers of detected and of changed values. */
export function totals(counts: Counts | undefined, { rules }: DataProtectionSettings): { detected: number; redacted: number } {
  let detected = 0;
  let redacted = 0;
  for (const type of piiTypes) {
    const count = counts?.[type] ?? 0;
    detected += count;
    if (rules[type].action !== 'allow') redacted += count;
  }
  return { detected, redacted };
}
