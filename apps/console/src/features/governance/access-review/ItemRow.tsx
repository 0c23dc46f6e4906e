import type { AccessReviewItem } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { dayMs } from '@paddock/contract/time';
import { useState } from 'react';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { useDecide } from './queries.ts';

const kinds = { person: 'Person', identity: 'Sign-in', api_key: 'API key' } as const;
const looks = {
  keep: { tone: 'success', glyph: 'tick', word: 'Still needed' },
  revoke: { tone: 'neutral', glyph: 'cross', word: 'Revoked' },
  gone: { tone: 'neutral', glyph: 'square', word: 'Gone' },
} as const;

interface Props {
  reviewId: string;
  item: AccessReviewItem;
  isOpen: boolean;
}

/** An entry of a review. While the review is open, a kept entry may still be revoked. */
export function ItemRow({ reviewId, item, isOpen }: Props) {
  const { id, kind, held_by, grants, detail, last_used_at, is_gone, cannot_revoke, decision } = item;
  const [isAsking, setAsking] = useState(false);
  const decide = useDecide();
  const name = shownText(item.name, 120);
  const decided = decision ?? (is_gone ? 'gone' : undefined);
  const press = (given: 'keep' | 'revoke') =>
    decide.mutate({ id: reviewId, decision: given, items: [id] }, { onSuccess: () => setAsking(false) });
  const look = decided ? looks[decided] : undefined;
  const canDecide = isOpen && (decided === undefined || decided === 'keep');
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-t border-border px-3 py-2.5 first:border-t-0">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-semibold wrap-anywhere">{name}</span>
          <span className="text-sm text-muted wrap-anywhere">
            {kinds[kind]}
            {held_by === null ? '' : ` of ${shownText(held_by, 120)}`}
          </span>
          {look ? (
            <Badge tone={look.tone} glyph={look.glyph}>
              {look.word}
            </Badge>
          ) : null}
        </p>
        <p className="text-sm wrap-anywhere">
          {last_used_at === null ? (
            'Never used'
          ) : (
            <>
              Last used <Timestamp at={last_used_at} />
            </>
          )}
          {` · access: ${shownText(grants.join(', '), 600)}`}
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          {shownText(detail, 600)} {canDecide ? cannot_revoke : null}
        </p>
        <FormError>
          {failureText(isAsking ? undefined : decide.error, 'The decision could not be saved.') ??
            decide.data?.map(({ reason }) => reason).join(' ')}
        </FormError>
      </div>
      {canDecide ? (
        <div className="flex flex-wrap gap-2">
          <Button
            aria-pressed={decision === 'keep'}
            aria-label={`${name} is still needed`}
            busy={decide.isPending && !isAsking}
            onClick={() => decision === 'keep' || press('keep')}
          >
            Still needed
          </Button>
          {cannot_revoke === null ? (
            <Button variant="danger" aria-label={`Revoke ${name}`} onClick={() => setAsking(true)}>
              Revoke
            </Button>
          ) : null}
        </div>
      ) : null}
      {isAsking ? (
        <Asking
          item={item}
          busy={decide.isPending}
          error={decide.error}
          onClose={() => setAsking(false)}
          onConfirm={() => press('revoke')}
        />
      ) : null}
    </li>
  );
}

interface AskingProps {
  item: AccessReviewItem;
  busy: boolean;
  error: unknown;
  onClose: () => void;
  onConfirm: () => void;
}

function Asking({ item: { kind, name, last_used_at }, busy, error, onClose, onConfirm }: AskingProps) {
  // Revoking a key that was used within a day breaks something at once, so its name must be typed.
  const [isInUse] = useState(() => kind === 'api_key' && last_used_at !== null && Date.now() - Date.parse(last_used_at) < dayMs);
  return (
    <ConfirmDialog
      open
      danger
      title={`Revoke ${shownText(name, 120)}?`}
      confirmLabel="Revoke"
      {...(isInUse ? { typedName: name } : {})}
      busy={busy}
      error={failureText(error, 'Access could not be revoked.')}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {kind === 'api_key'
        ? 'This cannot be undone. Anything that uses the key loses access on its next request.'
        : 'This provider account can no longer be used to sign in. Open sessions stay open.'}
    </ConfirmDialog>
  );
}
