import { PageHeader } from '../../ui/PageHeader.tsx';

export function ProjectsPage() {
  return <PageHeader title="Projects" />;
}
