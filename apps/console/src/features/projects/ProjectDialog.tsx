import type { Project } from '@paddock/contract';
import { textLimits } from '@paddock/contract/limits';
import { normalizeProjectName, projectNameProblem } from '@paddock/contract/rules';
import { type SubmitEvent, useState } from 'react';
import { failureText, fieldError } from '../../api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Input } from '../../ui/controls/Input.tsx';
import { Textarea } from '../../ui/controls/Textarea.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { PlanLimitNote } from '../billing/plan-limits/PlanLimitNote.tsx';
import { keepNameCharacters } from './project-name.ts';
import { useCreateProject, useUpdateProject } from './queries.ts';

/** Creates a project, or changes the name and description of the given one. */
export function ProjectDialog({ project, onClose }: { project?: Project | undefined; onClose: () => void }) {
  const create = useCreateProject();
  const update = useUpdateProject();
  const work = project ? update : create;
  const [name, setName] = useState(project?.name ?? '');
  const [description, setDescription] = useState(project?.description ?? '');
  const [problem, setProblem] = useState<string | null>(null);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (work.isPending) return;
    const found = projectNameProblem(name);
    setProblem(found);
    if (found) {
      event.currentTarget.querySelector<HTMLElement>('input')?.focus();
      return;
    }
    const given = { name: normalizeProjectName(name), description: description.trim() };
    if (project) update.mutate({ id: project.id, ...given }, { onSuccess: onClose });
    else create.mutate(given, { onSuccess: onClose });
  };
  const nameError = problem ?? fieldError(work.error, 'name');
  return (
    <Dialog
      open
      onClose={onClose}
      title={project ? 'Edit project' : 'New Project'}
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={work.isPending}>
            {project ? 'Save changes' : 'Create project'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>
          {nameError ? undefined : failureText(work.error, project ? 'Failed to update project' : 'Failed to create project')}
        </FormError>
        {project ? null : <PlanLimitNote kind="projects" />}
        <Field
          label="Name"
          required
          hint={
            project
              ? 'The address of the project stays as it is.'
              : 'Lowercase letters, numbers and hyphens. It becomes part of the address.'
          }
          error={nameError}
        >
          <Input
            value={name}
            mono
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => {
              setName(keepNameCharacters(event.target.value));
              setProblem(null);
              if (work.error) work.reset();
            }}
          />
        </Field>
        <Field label="Description" hint="Optional" error={fieldError(work.error, 'description')}>
          <Textarea
            value={description}
            maxLength={textLimits.projectDescription}
            onChange={(event) => setDescription(event.target.value)}
          />
        </Field>
      </div>
    </Dialog>
  );
}
