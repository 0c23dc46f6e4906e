import { PageHeader } from '../../ui/PageHeader.tsx';

export function DashboardPage() {
  return <PageHeader title="Dashboard" />;
}
