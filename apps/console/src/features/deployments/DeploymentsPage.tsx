import { PageHeader } from '../../ui/PageHeader.tsx';

export function DeploymentsPage() {
  return <PageHeader title="Deployments" />;
}
