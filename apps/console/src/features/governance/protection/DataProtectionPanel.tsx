import { ApiError } from '@paddock/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { FolderPlus } from 'lucide-react';
import { Loaded } from '../../../api/Loaded.tsx';
import { ButtonLink } from '../../../navigation/links.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { TextLink } from '../../../ui/controls/TextLink.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { projectsQuery } from '../../projects/queries.ts';
import { dataProtectionQuery } from './queries.ts';
import { SettingsForm } from './SettingsForm.tsx';
import { messages } from './words.ts';

interface Props {
  /** The project in the page's address; without it, the newest project is shown. */
  project: string | undefined;
  onProject: (id: string) => void;
}

/** How personal data in the traffic of a project's agents is handled. */
export function DataProtectionPanel({ project, onProject }: Props) {
  const query = useQuery(projectsQuery);
  const projects = query.data;
  const shown = project ?? projects?.[0]?.id;
  const isKnown = projects?.some(({ id }) => id === shown) ?? false;
  return (
    <section aria-labelledby="data-protection">
      <h2 id="data-protection" className="mb-1 text-md font-bold">
        Data protection
      </h2>
      <p className="mb-4 max-w-text text-muted">
        How Paddock handles personal data in requests to the agents of a project and in their responses. Changes take effect within seconds;
        data stored before does not change. Images, other files and WebSockets pass unchanged, and the record says so.{' '}
        <TextLink href="/docs/data-protection" target="_blank" rel="noreferrer">
          Guide to data protection
        </TextLink>
      </p>
      <Loaded query={query} failed={messages.projects} />
      {projects?.length === 0 ? <NoProjects /> : null}
      {projects && projects.length > 0 ? (
        <div className="mb-4 w-72 max-w-full max-sm:w-full">
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
      {shown === undefined ? null : <Settings key={shown} projectId={shown} />}
      {query.isPending ? <Skeleton rows={8} /> : null}
    </section>
  );
}

function Settings({ projectId }: { projectId: string }) {
  const query = useQuery(dataProtectionQuery(projectId));
  const isUnknown = query.error instanceof ApiError && query.error.code === 'project_not_found';
  if (isUnknown) return <p className="text-muted">Project not found. It may have been deleted. Choose another one.</p>;
  return (
    <Loaded query={query} failed={messages.load} isSpaced skeleton={<Skeleton rows={8} />}>
      {(data) => <SettingsForm projectId={projectId} saved={data} />}
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
    No projects yet. Each project has its own settings.
  </EmptyState>
);
