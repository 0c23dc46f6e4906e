import type { Profile } from '@paddock/contract';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';

const DeleteAccountDialog = lazy(() => import('./DeleteAccountDialog.tsx').then((module) => ({ default: module.DeleteAccountDialog })));

export function DeleteAccountCard({ profile }: { profile: Profile }) {
  const [open, setOpen] = useState(false);
  return (
    <Card title="Delete account">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-text text-base text-muted">
          Deletes your account with its projects, sessions and API keys. This cannot be undone.
        </p>
        <Button variant="danger" onClick={() => setOpen(true)}>
          Delete account
        </Button>
      </div>
      <Suspense fallback={null}>{open ? <DeleteAccountDialog profile={profile} onClose={() => setOpen(false)} /> : null}</Suspense>
    </Card>
  );
}
