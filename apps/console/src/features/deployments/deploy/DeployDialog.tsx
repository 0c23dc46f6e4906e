import type { Deployment, Environment } from '@paddock/contract';
import { archiveLimits } from '@paddock/contract/limits';
import { normalizeProjectName, projectNameProblem } from '@paddock/contract/rules';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText, fieldError, requestId } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { DropZone } from '../../../ui/controls/DropZone.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { UploadProgress } from '../../../ui/feedback/UploadProgress.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { SteadyWord } from '../../../ui/text/SteadyWord.tsx';
import { PlanLimitNote } from '../../billing/plan-limits/PlanLimitNote.tsx';
import { projectNameFrom } from '../../projects/project-name.ts';
import { projectsQuery } from '../../projects/queries.ts';
import { addressMissingMessage, missingMessage, startedMessage } from '../messages.ts';
import { givenSettings, type KeptSettings, type TypedSettings, untyped } from './build-settings.ts';
import { DatabaseFields } from './DatabaseFields.tsx';
import { megabytes } from './megabytes.ts';
import { PreflightSummary } from './PreflightSummary.tsx';
import { newProject, ProjectFields } from './ProjectFields.tsx';
import type { Preflight } from './preflight.ts';
import { SettingsFields } from './SettingsFields.tsx';
import { useStoredAddresses } from './stored-addresses.ts';
import { type DeployOrder, type Sending, useDeploy } from './use-deploy.ts';
import { useOncePreflighted, usePreflight } from './use-preflight.ts';

interface Props {
  /** The initially chosen project. */
  projectId?: string | undefined;
  environment?: Environment | undefined;
  databaseMode?: DeployOrder['database_mode'] | undefined;
  /** An archive that was dropped elsewhere. */
  file?: File | undefined;
  onClose: () => void;
  onStarted: (deployment: Deployment) => void;
}

type Form = Omit<DeployOrder, 'project' | 'file' | 'settings'> & TypedSettings;
const emptyForm = { redis_url: '', postgres_url: '', ...untyped };
const takenMessage = 'You already have a project with this name. Select it above, or enter another name.';
const dropHint = `One .zip, up to ${megabytes(archiveLimits.zipBytes)}. It is checked in your browser before the upload.`;

/** Deploys an archive. Problems of the archive are shown before it is uploaded. */
export function DeployDialog({ projectId, environment = 'production', databaseMode = 'none', file: dropped, onClose, onStarted }: Props) {
  const [file, setFile] = useState<File | null>(dropped ?? null);
  const { projects, project, kept, ordered, holdProject, setProject, newName, setNewName, nameProblem } = useProjectChoice(projectId, file);
  const [form, setForm] = useState<Form>({ ...emptyForm, environment, database_mode: databaseMode });
  const known = project === '' || project === newProject ? undefined : project;
  const stored = useStoredAddresses(known, form.environment);
  const [problem, setProblem] = useState<string | null>(null);
  const result = usePreflight(file);
  const { sending, send, cancel, forget } = useDeploy((deployment) => {
    toast.success(startedMessage);
    onStarted(deployment);
  });

  const deploy = useOncePreflighted(result, ({ problems }) => {
    if (project === '' || !file || nameProblem || problems.length > 0) return;
    if (isWithoutAddress(form, stored)) return setProblem(addressMissingMessage);
    holdProject();
    void send({ ...toOrder(form, kept), file, project: ordered });
  });
  const isSending = sending.phase === 'uploading' || sending.phase === 'checking' || sending.phase === 'deployed';

  /** Wraps a setter: after any change the messages of the last attempt no longer apply. */
  const changing =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setProblem(null);
      deploy.cancel();
      forget();
    };
  const changeForm = changing((next: Partial<Form>) => setForm({ ...form, ...next }));
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending) return;
    if (project === '' || !file) setProblem(missingMessage);
    else deploy.press();
  };
  const error = sending.phase === 'failed' ? sending.error : null;
  return (
    <Dialog
      open
      // A press outside does not end an upload; Cancel does.
      onClose={() => (isSending ? undefined : onClose())}
      title="Deploy agent"
      description="Upload a ZIP of your agent's code. It is built and started in a sandbox."
      onSubmit={onSubmit}
      footer={
        isSending ? (
          <Progress sending={sending} label={file?.name ?? ''} onCancel={cancel} />
        ) : (
          <Buttons sending={sending} result={result} isWaiting={deploy.isWaiting} onClose={onClose} />
        )
      }
    >
      <fieldset disabled={isSending} className="flex flex-col gap-4">
        <FormError>{problem ?? failure(error)}</FormError>
        <PlanLimitNote kind="bandwidth_gb" />
        <DropZone
          label="Drop a ZIP here, or choose one"
          hint={dropHint}
          accept=".zip,application/zip"
          file={file}
          disabled={isSending}
          onFile={changing<File>(setFile)}
        />
        {result ? <PreflightSummary result={result} /> : null}
        <ProjectFields
          projects={projects}
          value={project}
          onChange={changing<string>(setProject)}
          newName={newName}
          onNewName={changing<string>(setNewName)}
          nameProblem={nameProblem}
          environment={form.environment}
          onEnvironment={(next) => changeForm({ environment: next })}
        />
        <DatabaseFields form={form} onChange={changeForm} error={error} projectId={known} environment={form.environment} />
        <SettingsFields typed={form} kept={kept} onChange={changeForm} error={error} />
      </fieldset>
    </Dialog>
  );
}

const toOrder = ({ root, start, packages, keep, ...rest }: Form, kept: KeptSettings) => ({
  ...rest,
  settings: givenSettings({ root, start, packages, keep }, kept),
});

/** Whether the server would refuse the order, after the upload, for a lack of addresses. False while the stored addresses are unknown. */
const isWithoutAddress = ({ database_mode, redis_url, postgres_url }: Form, stored: ReturnType<typeof useStoredAddresses>) =>
  database_mode === 'byo' && redis_url === '' && postgres_url === '' && stored !== undefined && !stored('redis') && !stored('postgresql');

/** The target project, or the name of a new one. */
function useProjectChoice(projectId: string | undefined, file: File | null) {
  const { data: projects } = useQuery(projectsQuery);
  const [chosen, setProject] = useState(projectId);
  const [name, setNewName] = useState<string>();
  // Without any project there is nothing to choose: a project named after the file is created.
  const project = chosen ?? (projects?.length === 0 ? newProject : '');
  const newName = name ?? (file ? projectNameFrom(file.name) : '');
  const [sentName, setSentName] = useState<string>();
  const normal = normalizeProjectName(newName);
  // The server would deploy to the existing project of that name, and replace its agent.
  const isTaken = normal !== sentName && projects?.some((each) => each.name === normal);
  const nameProblem = project === newProject && file ? (projectNameProblem(newName) ?? (isTaken ? takenMessage : null)) : null;
  const kept = projects?.find(({ id }) => id === project)?.build_settings;
  const ordered = project === newProject ? { name: normal } : { id: project };
  /** The new project may appear in the list during the upload. The choice must stay, and its own name must not count as taken. */
  const holdProject = () => {
    setProject(project);
    setSentName(normal);
  };
  return { projects, project, kept, ordered, holdProject, setProject, newName, setNewName, nameProblem };
}

interface ButtonsProps {
  sending: Sending;
  result: Preflight | null;
  isWaiting: boolean;
  onClose: () => void;
}

function Buttons({ sending, result, isWaiting, onClose }: ButtonsProps) {
  return (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" variant="primary" disabled={result !== null && result.problems.length > 0} busy={isWaiting}>
        <SteadyWord word={sending.phase === 'failed' ? 'Try again' : 'Deploy agent'} widest="Deploy agent" />
      </Button>
    </>
  );
}

function Progress({ sending, label, onCancel }: { sending: Sending; label: string; onCancel: () => void }) {
  const upload =
    sending.phase === 'uploading'
      ? { phase: 'Uploading', done: sending.share }
      : { phase: sending.phase === 'deployed' ? 'Opening' : 'Checking', done: undefined };
  return (
    <div className="w-full">
      <UploadProgress label={label} {...upload} onCancel={sending.phase === 'deployed' ? undefined : onCancel} />
    </div>
  );
}

/** The server's error, unless it is already shown at its field. */
function failure(error: unknown): string | undefined {
  if (!error || fieldError(error, 'redis_url') || fieldError(error, 'postgres_url')) return undefined;
  const [text, id] = [failureText(error, 'Failed to create deployment') ?? '', requestId(error)];
  return id && !text.includes(id) ? `${text} (request ${id})` : text;
}
