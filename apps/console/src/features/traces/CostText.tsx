import type { Trace } from '@paddock/contract';
import { dollarText } from '@paddock/contract/figures';
import { shownText } from '@paddock/contract/terminal-text';
import { PageLink } from '../../navigation/links.tsx';
import { Tooltip } from '../../ui/controls/Tooltip.tsx';

/** Maximum number of models named; further ones are counted. */
const maxNamed = 5;

/** The cost of model calls. Calls without a known price are named, since their cost is unknown and not zero. */
export function CostText({ cost }: { cost: Pick<Trace, 'cost_usd' | 'unpriced_models'> }) {
  const { cost_usd, unpriced_models } = cost;
  if (unpriced_models.length === 0) return dollarText(cost_usd);
  const named = unpriced_models.slice(0, maxNamed).map((model) => shownText(model, 60));
  const more = unpriced_models.length - named.length;
  const names = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return (
    <span className="whitespace-nowrap">
      {cost_usd === null ? '' : `${dollarText(cost_usd)} + `}
      <Tooltip text={`No price is known for ${names}. Set it under Model prices.`}>
        <PageLink to="/settings" search={{ tab: 'model-prices' }}>
          no price
        </PageLink>
      </Tooltip>
    </span>
  );
}
