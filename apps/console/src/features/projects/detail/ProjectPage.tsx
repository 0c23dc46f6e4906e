import { ApiError } from '@paddock/contract/errors';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Loaded } from '../../../api/Loaded.tsx';
import { Breadcrumbs } from '../../../navigation/Breadcrumbs.tsx';
import { ButtonLink, PageLink } from '../../../navigation/links.tsx';
import { idOf } from '../../../navigation/search.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { projectQuery, projectsQuery } from '../queries.ts';
import { ProjectDetail } from './ProjectDetail.tsx';

/** An invalid id is not sent: the server would only refuse it. */
const isProjectId = idOf('prj');

/** The page of a project: serving and latest deployments, log, variables, databases and settings. */
export function ProjectPage() {
  const { id } = useParams({ from: '/shell/projects/$id' });
  const isKnown = isProjectId(id) !== undefined;
  const client = useQueryClient();
  const query = useQuery({
    ...projectQuery(id),
    enabled: isKnown,
    // The project list may already have loaded the data of the head.
    placeholderData: () => client.getQueryData(projectsQuery.queryKey)?.find((each) => each.id === id),
  });
  const isGone = !isKnown || (query.error instanceof ApiError && query.error.code === 'project_not_found');
  if (query.data && !isGone)
    return (
      <>
        <Breadcrumbs above={[projectsLink]} here={query.data.name} />
        <Loaded query={query} failed={failed} isSpaced />
        <ProjectDetail key={id} project={query.data} />
      </>
    );
  return (
    <>
      <Breadcrumbs above={[projectsLink]} here="Project" />
      <PageHeader title="Project" />
      {isGone ? (
        <EmptyState action={<ButtonLink to="/projects">All projects</ButtonLink>}>Project not found. It may have been deleted.</EmptyState>
      ) : (
        <Loaded query={query} failed={failed} isSpaced skeleton={<Skeleton rows={6} />} />
      )}
    </>
  );
}

const projectsLink = (
  <PageLink key="projects" to="/projects">
    Projects
  </PageLink>
);
const failed = 'The project could not be loaded. Running agents are not affected.';
