import { countText, dollarText } from '@paddock/contract/figures';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../api/Loaded.tsx';
import { TextLink } from '../../ui/controls/TextLink.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { modelUsageQuery } from '../traces/usage/queries.ts';
import { sumUsage, type UsageGroup } from '../traces/usage/sum-usage.ts';
import { UnpricedNote, UsageTable } from '../traces/usage/UsageTable.tsx';
import { messages } from './words.ts';

/** Token costs of a month by project. They are paid to the model providers: no invoice contains them. */
export function ModelCost({ month }: { month: string }) {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  const query = useQuery(modelUsageQuery({ date_from: `${month}-01`, date_to: lastDay }));
  return (
    <Card title="Model cost">
      <p className="mb-3 max-w-text text-muted">
        Paid to model providers, not billed by Paddock. Computed from the tokens in traces, by the current model prices.
      </p>
      <Loaded query={query} failed={messages.modelCost} skeleton={<Skeleton rows={3} />}>
        {({ totals, model_usage, unpriced_models }) =>
          totals.calls === 0 ? (
            <p className="max-w-text text-muted">
              No model calls this month: they appear once agents’ OpenTelemetry SDKs send spans of them.{' '}
              <TextLink href="/docs/traces" target="_blank" rel="noreferrer">
                Guide to traces
              </TextLink>
            </p>
          ) : (
            <div className="flex flex-col gap-3">
              <p>
                <b className="mr-3 text-figure font-bold">{dollarText(totals.cost_usd)}</b>
                <span className="text-sm text-muted">
                  {countText(totals.calls)} calls, {countText(totals.input_tokens)} tokens in, {countText(totals.output_tokens)} out
                </span>
              </p>
              <UsageTable
                caption="Model cost by project"
                head="Project"
                groups={sumUsage(model_usage, ({ project_id }) => project_id ?? '')}
                nameOf={projectName}
              />
              <UnpricedNote models={unpriced_models} />
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}

function projectName({ row: { project_id, project_name } }: UsageGroup): string {
  if (project_id === null) return 'All other calls';
  return project_name ?? `Deleted project …${project_id.slice(-4)}`;
}
