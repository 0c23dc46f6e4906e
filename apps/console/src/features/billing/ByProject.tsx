import type { UsageOfMonth, UsageOfProject } from '@paddock/contract';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { type Column, Table } from '../../ui/layout/Table.tsx';
import { monthName, priceText, usageText } from './words.ts';

const columns: readonly Column<UsageOfProject>[] = [
  { head: 'Project', lead: true, cell: ({ project_name, is_deleted }) => (is_deleted ? `${project_name} (deleted)` : project_name) },
  { head: 'Compute hours', numeric: true, cell: ({ compute_hours }) => usageText(compute_hours) },
  { head: 'Bandwidth GB', numeric: true, cell: ({ bandwidth_gb }) => usageText(bandwidth_gb) },
  { head: 'Storage GB', numeric: true, cell: ({ database_storage_gb }) => usageText(database_storage_gb) },
  { head: 'Cost', numeric: true, cell: ({ cost }) => priceText(cost) },
];

export const ByProject = ({ projects }: { projects: readonly UsageOfProject[] }) => (
  <section aria-labelledby="by-project">
    <h2 id="by-project" className="mb-2 text-base font-bold">
      By project
    </h2>
    {projects.length > 0 ? (
      <Table caption="Usage by project" columns={columns} rows={projects} rowKey={({ project_id }) => project_id ?? ''} compact />
    ) : (
      <EmptyState command="paddock deploy">No usage this month.</EmptyState>
    )}
  </section>
);

/** Usage of an earlier month that is charged in this month. */
export const Corrections = ({ usage: { corrections } }: { usage: UsageOfMonth }) =>
  corrections.map(({ of_month, cost, compute_hours, bandwidth_gb, database_storage_gb }) => (
    <p key={of_month} className="max-w-text text-sm text-muted">
      This month’s usage includes {usageText(compute_hours)} hours, {usageText(bandwidth_gb)} GB of bandwidth and{' '}
      {usageText(database_storage_gb)} GB of storage ({priceText(cost)}) from {monthName(of_month)}, reported after that month was closed.
    </p>
  ));
