import type { DatabaseBackup } from '@paddock/contract';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { bytesText } from '../../../ui/text/bytes.ts';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { absoluteDate, absoluteTime } from '../../../ui/text/time.ts';
import { backupLooks } from '../states.ts';

const triggers = { daily: 'Daily', manual: 'Manual', before_restore: 'Before a restore' } as const;

interface Props {
  backup: DatabaseBackup;
  onRestore: () => void;
  onDelete: () => void;
}

export function BackupRow({ backup, onRestore, onDelete }: Props) {
  const { trigger, status, error_message, size_bytes, sha256, version, created_at, expires_at } = backup;
  const look = backupLooks[status];
  const zone = useZone();
  const when = absoluteTime(Date.parse(created_at), zone);
  const facts: ReactNode[] = [
    triggers[trigger],
    ...(size_bytes === null ? [] : [bytesText(size_bytes)]),
    ...(version === null ? [] : [`version ${version}`]),
    ...(expires_at === null
      ? []
      : [
          <>
            kept until <time dateTime={expires_at}>{absoluteDate(Date.parse(expires_at), zone)}</time>
          </>,
        ]),
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-border px-3 py-2.5 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-semibold">
            <Timestamp at={created_at} />
          </span>
          <Badge tone={look.tone} glyph={look.glyph}>
            {look.word}
          </Badge>
        </p>
        <p className="text-sm text-muted">
          {facts.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed order, and no state within
            <span key={index}>
              {index > 0 ? ', ' : null}
              {fact}
            </span>
          ))}
        </p>
        {sha256 ? (
          <p className="-my-1 flex items-center gap-1 text-sm text-subtle">
            SHA-256 <span className="font-mono text-mono">{sha256.slice(0, 12)}…</span>
            <CopyButton text={sha256} label={`Copy the checksum of the backup of ${when}`} />
          </p>
        ) : null}
        {error_message ? <p className="text-sm break-words text-error-fg">{error_message}</p> : null}
      </div>
      <div className="flex gap-2">
        {status === 'available' ? (
          <Button onClick={onRestore} aria-label={`Restore the backup of ${when}`}>
            Restore
          </Button>
        ) : null}
        {status === 'available' || status === 'failed' ? (
          <Button variant="danger" onClick={onDelete} aria-label={`Delete the backup of ${when}`}>
            Delete
          </Button>
        ) : null}
      </div>
    </li>
  );
}
