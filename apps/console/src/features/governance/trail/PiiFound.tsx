import type { AuditLog } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { shownText } from '@paddock/contract/terminal-text';

/** PII that the detector found in the bodies of a record. */
export function PiiFound({ of: { scans, detected, redacted, types } }: { of: NonNullable<AuditLog['pii']> }) {
  const found = Object.entries(types);
  return (
    <section aria-label="PII">
      <h3 className="text-sm font-semibold">PII</h3>
      <p className="text-muted">
        {plural(scans, 'body', 'bodies')} scanned, {detected.toLocaleString('en')} found, {redacted.toLocaleString('en')} redacted.
      </p>
      {found.length > 0 ? (
        <ul className="mt-1 flex list-none flex-wrap gap-x-4">
          {found.map(([type, count]) => (
            <li key={type}>
              {shownText(type, 40)} <span className="text-muted">{count.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
