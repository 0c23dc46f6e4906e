import type { PlanId } from '@paddock/contract/plans';
import { useState } from 'react';
import { CurrentSubscription } from './CurrentSubscription.tsx';
import { PlanGrid } from './PlanGrid.tsx';
import { UpgradeDialog } from './UpgradeDialog.tsx';
import { WithBilling } from './WithBilling.tsx';

/** The subscription, and the available plans. */
export function PlansPanel() {
  const [chosen, setChosen] = useState<PlanId>();
  return (
    <WithBilling>
      {(state) => (
        <div className="flex flex-col gap-4">
          <CurrentSubscription state={state} />
          <PlanGrid current={state.subscription?.plan} verb={() => (state.subscription ? 'Switch to' : 'Select')} onChoose={setChosen} />
          {chosen ? <UpgradeDialog plan={chosen} state={state} onClose={() => setChosen(undefined)} /> : null}
        </div>
      )}
    </WithBilling>
  );
}
