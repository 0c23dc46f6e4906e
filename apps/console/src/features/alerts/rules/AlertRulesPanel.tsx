import { ApiError } from '@paddock/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { FolderPlus } from 'lucide-react';
import { Loaded } from '../../../api/Loaded.tsx';
import { ButtonLink } from '../../../navigation/links.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { projectsQuery } from '../../projects/queries.ts';
import { alertRulesQuery } from './queries.ts';
import { RuleRow } from './RuleRow.tsx';
import { messages } from './words.ts';

interface Props {
  /** The project in the page's address; without it, the newest project is shown. */
  project: string | undefined;
  onProject: (id: string) => void;
}

/** The alert rules of a project. */
export function AlertRulesPanel({ project, onProject }: Props) {
  const query = useQuery(projectsQuery);
  const projects = query.data;
  const shown = project ?? projects?.[0]?.id;
  const isKnown = projects?.some(({ id }) => id === shown) ?? false;
  return (
    <section aria-labelledby="alert-rules" className="mb-8">
      <h2 id="alert-rules" className="mb-1 text-md font-bold">
        Alert rules
      </h2>
      <p className="mb-4 max-w-text text-muted">
        Paddock checks the production agent of each project once a minute. An alert closes automatically when its cause is gone. Alerts for
        crash loops, failed deployments and databases are always on.
      </p>
      <Loaded query={query} failed={messages.projects} />
      {projects?.length === 0 ? <NoProjects /> : null}
      {projects && projects.length > 0 ? (
        <div className="mb-3 w-72 max-w-full max-sm:w-full">
          <Field label="Project">
            <Select value={shown ?? ''} onChange={(event) => onProject(event.target.value)}>
              {isKnown ? null : <option value={shown ?? ''}>Unknown project</option>}
              {projects.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      ) : null}
      {shown === undefined ? null : <Rules key={shown} projectId={shown} />}
      {query.isPending ? <Skeleton rows={6} /> : null}
    </section>
  );
}

function Rules({ projectId }: { projectId: string }) {
  const query = useQuery(alertRulesQuery(projectId));
  const isUnknown = query.error instanceof ApiError && query.error.code === 'project_not_found';
  if (isUnknown) return <p className="text-muted">Project not found. It may have been deleted. Choose another one.</p>;
  return (
    <Loaded query={query} failed={messages.load} skeleton={<Skeleton rows={6} />}>
      {(data) => (
        <ul aria-label="Alert rules" className="list-none border border-border bg-surface">
          {data.map((rule) => (
            <RuleRow key={rule.rule} projectId={projectId} rule={rule} />
          ))}
        </ul>
      )}
    </Loaded>
  );
}

const NoProjects = () => (
  <EmptyState
    action={
      <ButtonLink to="/projects" search={{ action: 'new' }} icon={<Icon of={FolderPlus} />}>
        New project
      </ButtonLink>
    }
  >
    No projects yet. Each project has its own rules.
  </EmptyState>
);
