import type { Profile } from '@paddock/contract';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Card } from '../../../ui/layout/Card.tsx';

const TwoFactorSetupDialog = lazy(() => import('./TwoFactorSetupDialog.tsx').then((module) => ({ default: module.TwoFactorSetupDialog })));
const RecoveryCodesDialog = lazy(() => import('./RecoveryCodesDialog.tsx').then((module) => ({ default: module.RecoveryCodesDialog })));
const DisableDialog = lazy(() => import('./TwoFactorDisableDialog.tsx').then((module) => ({ default: module.TwoFactorDisableDialog })));

const few = 3;

/** Whether two-factor sign-in is on, and the buttons to switch it. */
export function TwoFactorCard({ profile }: { profile: Profile }) {
  const [open, setOpen] = useState<'set up' | 'codes' | 'disable'>();
  const { is_on, recovery_codes_left: left } = profile.second_factor;
  const close = () => setOpen(undefined);
  return (
    <Card
      title="Two-factor sign-in"
      aside={
        is_on ? (
          <Badge tone="success" glyph="tick">
            On
          </Badge>
        ) : (
          <Badge tone="neutral" glyph="square">
            Off
          </Badge>
        )
      }
    >
      <p className="text-base text-muted">
        {is_on
          ? 'Signing in requires a code from your authenticator app after the password.'
          : 'Protects your account if your password is stolen: signing in also requires a code from an app on your phone.'}
      </p>
      {is_on ? (
        <div className="mt-3">
          {left > few ? (
            <p className="text-base">{left} recovery codes left.</p>
          ) : (
            <Banner tone="warning">
              {left === 0
                ? 'No recovery codes are left.'
                : `Only ${left === 1 ? '1 recovery code is' : `${left} recovery codes are`} left.`}{' '}
              Generate new ones before you need them.
            </Banner>
          )}
        </div>
      ) : null}
      <div className="mt-4 flex flex-wrap gap-2.5">
        {is_on ? (
          <>
            <Button onClick={() => setOpen('codes')}>New recovery codes</Button>
            <Button variant="danger" onClick={() => setOpen('disable')}>
              Switch off
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => setOpen('set up')}>
            Set up
          </Button>
        )}
      </div>
      <Suspense fallback={null}>
        {open === 'set up' ? <TwoFactorSetupDialog profile={profile} onClose={close} /> : null}
        {open === 'codes' ? <RecoveryCodesDialog profile={profile} onClose={close} /> : null}
        {open === 'disable' ? <DisableDialog profile={profile} onClose={close} /> : null}
      </Suspense>
    </Card>
  );
}
