import type { Waiver } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { useState } from 'react';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { absoluteTime, useNow } from '../../../ui/text/time.ts';
import { type ControlDetail, useEndWaiver } from './queries.ts';
import { WaiverForm } from './WaiverForm.tsx';

interface Props {
  of: ControlDetail;
  /** The resource whose waiver is being written, '' for the whole control; undefined if none. */
  waiving: string | undefined;
  onWaiving: (resource: string | undefined) => void;
}

/** The accepted failures: by whom, why and until when. */
export function Waivers({ of: { control, resources, waivers }, waiving, onWaiving }: Props) {
  const [ending, setEnding] = useState<string>();
  const end = useEndWaiver();
  const nameOf = (id: string) => shownText(resources.find((each) => each.id === id)?.name ?? id, 120);
  return (
    <section aria-labelledby="waivers">
      <h3 id="waivers" className="mb-1.5 text-sm font-semibold">
        Waivers
      </h3>
      {waivers.length === 0 ? <p className="text-muted">No waivers.</p> : null}
      <ul className="list-none border border-border empty:hidden">
        {waivers.map((waiver) => (
          <Row
            key={waiver.id}
            waiver={waiver}
            subject={waiver.resource_id === null ? 'All findings of the control' : nameOf(waiver.resource_id)}
            onEnd={() => setEnding(waiver.id)}
          />
        ))}
      </ul>
      {waiving === undefined ? (
        <div className="mt-2">
          <Button onClick={() => onWaiving('')}>Create waiver</Button>
        </div>
      ) : (
        <WaiverForm key={waiving} control={control} resources={resources} resource={waiving} onDone={() => onWaiving(undefined)} />
      )}
      <ConfirmDialog
        open={ending !== undefined}
        onClose={() => setEnding(undefined)}
        title="End the waiver?"
        confirmLabel="End waiver"
        busy={end.isPending}
        error={failureText(end.error, 'The waiver could not be ended.')}
        onConfirm={() => ending && end.mutate(ending, { onSuccess: () => setEnding(undefined) })}
      >
        The findings it covered count as violations again immediately. The waiver stays in the audit trail.
      </ConfirmDialog>
    </section>
  );
}

function Row({ waiver: { owner, reason, expires_at }, subject, onEnd }: { waiver: Waiver; subject: string; onEnd: () => void }) {
  const zone = useZone();
  const at = Date.parse(expires_at);
  const now = useNow();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-border px-3 py-2 first:border-t-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold wrap-anywhere">{subject}</p>
        <p className="wrap-anywhere">{shownText(reason, 2_000)}</p>
        <p className="text-sm text-muted wrap-anywhere">
          Owner {shownText(owner)}, {at > now ? 'until' : 'expired'} {absoluteTime(at, zone)}
        </p>
      </div>
      <Button onClick={onEnd} aria-label={`End the waiver of ${subject}`}>
        End
      </Button>
    </li>
  );
}
