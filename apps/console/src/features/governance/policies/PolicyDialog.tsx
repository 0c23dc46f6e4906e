import type { Policy } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { type ReactNode, useState } from 'react';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { absoluteTime } from '../../../ui/text/time.ts';
import { DryRun } from './DryRun.tsx';
import { StatusMark } from './PolicyCard.tsx';
import { useDeletePolicy } from './queries.ts';
import { RuleEffects } from './RuleEffects.tsx';
import { messages, typeWords } from './words.ts';

interface Props {
  policy: Policy;
  onEdit: () => void;
  onClose: () => void;
}

/** A policy: the effect of each rule, and what the rules would have refused. */
export function PolicyDialog({ policy, onEdit, onClose }: Props) {
  const [isDeleting, setDeleting] = useState(false);
  const remove = useDeletePolicy();
  const zone = useZone();
  const name = shownText(policy.name, 100);
  const time = (at: string) => absoluteTime(Date.parse(at), zone);
  const facts: [term: string, value: ReactNode][] = [
    ['Status', <StatusMark key="status" status={policy.status} />],
    ['Type', typeWords[policy.type]],
    ['Created', time(policy.created_at)],
    ['Last changed', time(policy.updated_at)],
  ];
  return (
    <Dialog
      open
      size="large"
      onClose={onClose}
      title={name}
      description={policy.description === '' ? undefined : shownText(policy.description, 2_000)}
      footer={
        <>
          <Button variant="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={onEdit}>
            Edit Policy
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
          {facts.map(([term, value]) => (
            <div key={term} className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-x-3">
              <dt className="text-muted">{term}</dt>
              <dd className="min-w-0">{value}</dd>
            </div>
          ))}
        </dl>
        <section aria-labelledby="rules">
          <h3 id="rules" className="mb-1.5 text-sm font-semibold">
            Rules
          </h3>
          {policy.status === 'active' ? null : <p className="mb-1.5 text-sm text-muted">This policy is not enforced until it is active.</p>}
          <RuleEffects label="Rules" rules={policy.understood} />
        </section>
        <DryRun rules={policy.rules} />
      </div>
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete policy ${name}?`}
        confirmLabel="Delete policy"
        danger
        busy={remove.isPending}
        error={failureText(remove.error, messages.deleteFailed)}
        onConfirm={() => remove.mutate(policy, { onSuccess: onClose })}
      >
        The policy is no longer enforced. What it refused so far stays in the audit trail.
      </ConfirmDialog>
    </Dialog>
  );
}
