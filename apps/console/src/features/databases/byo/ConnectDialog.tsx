import type { DatabaseType, Environment, Project } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { api } from '../../../api/api.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { SteadyWord } from '../../../ui/text/SteadyWord.tsx';
import { projectsQuery } from '../../projects/queries.ts';
import { environmentWords, typeWords, variableNames } from '../messages.ts';
import { AddressField, otherError } from './AddressField.tsx';
import { useAddress } from './use-address.ts';

interface Props {
  projectId: string | undefined;
  environment: Environment | undefined;
  onClose: () => void;
}

/** Connects an existing database: agents deployed to its environment in BYO mode get its address. */
export function ConnectDialog({ projectId, environment: given = 'production', onClose }: Props) {
  const projects = useQuery(projectsQuery);
  const [project, setProject] = useState(projectId ?? '');
  const [environment, setEnvironment] = useState<Environment>(given);
  const [type, setType] = useState<DatabaseType>('postgresql');
  const [url, setUrl] = useState('');
  const [asked, setAsked] = useState(false);
  const address = useAddress(
    (what, options) => api.databases.create({ project_id: project, environment, ...what }, options),
    () => {
      toast.success('Database connected');
      onClose();
    },
  );
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (project === '' || url === '' || address.busy) return;
    void address.submit({ type, url }, [project, environment]);
  };
  const change = (act: () => void) => {
    act();
    address.forget();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Connect your own database"
      description={`Agents deployed to the environment in BYO mode receive the address as ${variableNames[type]}.`}
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={address.busy !== null}>
            <SteadyWord
              word={address.checked && !address.checked.reachable ? 'Connect anyway' : 'Connect database'}
              widest="Connect database"
            />
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{otherError(address.error, 'The database could not be connected. Nothing was changed.')}</FormError>
        <PlaceFields
          projects={projects.data}
          project={project}
          onProject={(next) => change(() => setProject(next))}
          problem={asked && project === '' ? 'Select a project' : undefined}
          environment={environment}
          onEnvironment={(next) => change(() => setEnvironment(next))}
        />
        <Field label="Type" required>
          <Select value={type} onChange={(event) => change(() => setType(event.target.value as DatabaseType))}>
            {Object.entries(typeWords).map(([id, word]) => (
              <option key={id} value={id}>
                {word}
              </option>
            ))}
          </Select>
        </Field>
        <AddressField
          type={type}
          value={url}
          onChange={(next) => change(() => setUrl(next))}
          problem={asked && url === '' ? 'Enter the address' : undefined}
          error={address.error}
          checked={address.checked}
          isChecking={address.busy === 'checking'}
          onCheck={() => void address.check({ type, url })}
        />
      </div>
    </Dialog>
  );
}

interface PlaceProps {
  projects: readonly Project[] | undefined;
  /** The project's id; empty if none is chosen. */
  project: string;
  onProject: (id: string) => void;
  problem: string | undefined;
  environment: Environment;
  onEnvironment: (environment: Environment) => void;
}

/** The project and environment whose agents get the database. */
function PlaceFields({ projects, project, onProject, problem, environment, onEnvironment }: PlaceProps) {
  const isKnown = project === '' || projects?.some(({ id }) => id === project);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Project" required error={problem}>
        <Select value={project} onChange={(event) => onProject(event.target.value)}>
          <option value="" disabled>
            {projects ? 'Select a project' : 'Loading projects'}
          </option>
          {isKnown ? null : <option value={project}>The chosen project</option>}
          {projects?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Environment" required>
        <Select value={environment} onChange={(event) => onEnvironment(event.target.value as Environment)}>
          {Object.entries(environmentWords).map(([id, word]) => (
            <option key={id} value={id}>
              {word}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}
