import type { Environment, Project } from '@paddock/contract';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { PlanLimitNote } from '../../billing/plan-limits/PlanLimitNote.tsx';
import { keepNameCharacters } from '../../projects/project-name.ts';

/** Represents a project that is created with the deployment. */
export const newProject = 'new';

interface Props {
  projects: readonly Project[] | undefined;
  /** A project's id, `newProject`, or nothing yet. */
  value: string;
  onChange: (value: string) => void;
  newName: string;
  onNewName: (name: string) => void;
  nameProblem: string | null;
  environment: Environment;
  onEnvironment: (environment: Environment) => void;
}

export function ProjectFields({ projects, value, onChange, newName, onNewName, nameProblem, environment, onEnvironment }: Props) {
  const isKnown = value === '' || value === newProject || projects?.some(({ id }) => id === value);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Project" required>
          <Select value={value} onChange={(event) => onChange(event.target.value)}>
            <option value="" disabled>
              {projects ? 'Select a project' : 'Loading projects'}
            </option>
            {isKnown ? null : <option value={value}>The chosen project</option>}
            {projects?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            <option value={newProject}>New project</option>
          </Select>
        </Field>
        <Field label="Environment" required>
          <Select value={environment} onChange={(event) => onEnvironment(event.target.value as Environment)}>
            <option value="production">Production</option>
            <option value="preview">Preview</option>
          </Select>
        </Field>
      </div>
      {value === newProject ? (
        <>
          <PlanLimitNote kind="projects" />
          <Field
            label="Name of the new project"
            required
            hint="Lowercase letters, numbers and hyphens. It becomes part of the address."
            error={nameProblem ?? undefined}
          >
            <Input
              value={newName}
              mono
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => onNewName(keepNameCharacters(event.target.value))}
            />
          </Field>
        </>
      ) : null}
    </>
  );
}
