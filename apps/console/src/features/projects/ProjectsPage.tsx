import type { Project } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { combineQueries, Loaded } from '../../api/Loaded.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Input } from '../../ui/controls/Input.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';
import { ProjectCard } from './ProjectCard.tsx';
import { projectsQuery, teamDeploymentsQuery } from './queries.ts';

const ProjectDialog = lazy(() => import('./ProjectDialog.tsx').then((module) => ({ default: module.ProjectDialog })));
const DeleteProjectDialog = lazy(() => import('./DeleteProjectDialog.tsx').then((module) => ({ default: module.DeleteProjectDialog })));

/** The smallest number of projects with a search field. */
const searchableFrom = 7;
const listFailed = 'The projects could not be loaded. Nothing was changed.';
const statusFailed = 'The status of the projects could not be loaded. Running agents are not affected.';

export function ProjectsPage() {
  const { action, q = '' } = useSearch({ from: '/shell/projects' });
  const navigate = useNavigate({ from: '/projects' });
  const projects = useQuery(projectsQuery);
  const deployments = useQuery(teamDeploymentsQuery);
  const [editing, setEditing] = useState<Project>();
  const [deleting, setDeleting] = useState<Project>();
  const all = projects.data ?? [];
  const wanted = q.toLowerCase();
  const shown = all.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted));

  const found = q ? { q } : {};
  const open = () => void navigate({ search: { ...found, action: 'new' } });
  const close = () => void navigate({ search: found, replace: true });
  const find = (text: string) => void navigate({ search: text ? { q: text } : {}, replace: true });

  const newProject = (
    <Button variant="primary" icon={<Icon of={Plus} />} onClick={open}>
      New Project
    </Button>
  );
  return (
    <>
      <PageHeader title="Projects" count={projects.data ? all.length.toLocaleString('en') : null} actions={newProject} />
      <Loaded query={combineQueries(projects, deployments)} failed={projects.error ? listFailed : statusFailed} isSpaced />
      {projects.isPending ? <Skeleton kind="cards" rows={6} /> : null}
      {projects.data && all.length === 0 ? (
        <EmptyState action={newProject}>
          No projects yet. A project holds the deployments of one agent, its address and its variables.
        </EmptyState>
      ) : null}
      {all.length >= searchableFrom || q ? (
        <div className="mb-4 max-w-80">
          <Input
            type="search"
            aria-label="Search projects"
            placeholder="Search projects"
            value={q}
            onChange={(event) => find(event.target.value)}
          />
        </div>
      ) : null}
      {all.length > 0 && shown.length === 0 ? (
        <EmptyState action={<Button onClick={() => find('')}>Clear filters</Button>}>No project matches “{q}”.</EmptyState>
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map((project) => (
          <ProjectCard
            key={project.id}
            project={project}
            deployments={deployments.data?.filter(({ project_id }) => project_id === project.id)}
            onEdit={() => setEditing(project)}
            onDelete={() => setDeleting(project)}
          />
        ))}
      </div>
      <Suspense fallback={null}>
        {action === 'new' ? <ProjectDialog onClose={close} /> : null}
        {editing ? <ProjectDialog project={editing} onClose={() => setEditing(undefined)} /> : null}
        {deleting ? <DeleteProjectDialog project={deleting} onClose={() => setDeleting(undefined)} /> : null}
      </Suspense>
    </>
  );
}
