import { type PlanId, planIds, plans } from '@paddock/contract/plans';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { Glyph } from '../../../ui/theme/Glyph.tsx';
import { priceText } from '../words.ts';

interface Props {
  current: PlanId | undefined;
  /** The action on a plan, shown before its name: 'Switch to'. */
  verb: (plan: PlanId) => string;
  onChoose: (plan: PlanId) => void;
}

/** All plans side by side; the current one is marked and cannot be chosen. */
export const PlanGrid = ({ current, verb, onChoose }: Props) => (
  <ul aria-label="Plans" className="grid list-none gap-4 lg:grid-cols-3">
    {planIds.map((id) => {
      const { name, price_cents, interval, features } = plans[id];
      const isCurrent = id === current;
      return (
        <li
          key={id}
          aria-label={name}
          className={`flex min-w-0 flex-col gap-3 rounded-box border bg-surface p-3.5 ${isCurrent ? 'border-accent outline outline-accent' : 'border-border'}`}
        >
          <div className="flex min-h-6 flex-wrap items-center gap-2.5">
            <h2 className="text-base font-bold">{name}</h2>
            {isCurrent ? (
              <Badge tone="success" glyph="tick">
                Current
              </Badge>
            ) : null}
          </div>
          <p>
            <span className="text-figure font-bold">{priceText(price_cents / 100)}</span> <span className="text-muted">per {interval}</span>
          </p>
          <Features of={features} />
          <div className="mt-auto pt-1">
            <Button wide variant={id === 'pro' ? 'primary' : 'secondary'} disabled={isCurrent} onClick={() => onChoose(id)}>
              {isCurrent ? 'Current Plan' : `${verb(id)} ${name}`}
            </Button>
          </div>
        </li>
      );
    })}
  </ul>
);

export const Features = ({ of }: { of: readonly string[] }) => (
  <ul className="flex list-none flex-col gap-1">
    {of.map((feature) => (
      <li key={feature} className="flex items-center gap-2">
        <span className="text-success-fg">
          <Glyph name="tick" />
        </span>
        {feature}
      </li>
    ))}
  </ul>
);
