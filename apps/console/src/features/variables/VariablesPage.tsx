import type { Environment, Variable } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { variableLimits } from '@paddock/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ClipboardPaste, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { failureText } from '../../api/failure.ts';
import { combineQueries, Loaded } from '../../api/Loaded.tsx';
import { ButtonLink } from '../../navigation/links.tsx';
import { idOf } from '../../navigation/search.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { type Column, Table } from '../../ui/layout/Table.tsx';
import { Tabs } from '../../ui/layout/Tabs.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { Timestamp } from '../../ui/text/Timestamp.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';
import { ProjectBreadcrumbs } from '../projects/ProjectBreadcrumbs.tsx';
import { projectQuery } from '../projects/queries.ts';
import { useRemoveVariable, variablesQuery } from './queries.ts';

const VariableDialog = lazy(() => import('./VariableDialog.tsx').then((module) => ({ default: module.VariableDialog })));
const RedeployOffer = lazy(() => import('./RedeployOffer.tsx').then((module) => ({ default: module.RedeployOffer })));
const PasteDialog = lazy(() => import('./PasteDialog.tsx').then((module) => ({ default: module.PasteDialog })));

type Open =
  | { kind: 'add' }
  | { kind: 'replace'; variable: Variable }
  | { kind: 'remove'; variable: Variable }
  | { kind: 'paste'; text: string };

/** An invalid id is not sent: the server would only refuse it. */
const isProjectId = idOf('prj');

export function VariablesPage() {
  const { id } = useParams({ from: '/shell/projects/$id/variables' });
  const { environment = 'production' } = useSearch({ from: '/shell/projects/$id/variables' });
  const navigate = useNavigate({ from: '/projects/$id/variables' });
  const isKnown = isProjectId(id) !== undefined;
  const project = useQuery({ ...projectQuery(id), enabled: isKnown });
  const variables = useQuery({ ...variablesQuery(id), enabled: isKnown });
  const [open, setOpen] = useState<Open>();
  const [removed, setRemoved] = useState<readonly Variable[]>([]);

  if (!isKnown || (project.error instanceof ApiError && project.error.code === 'project_not_found')) return <NoSuchProject />;

  const of = (wanted: Environment) => variables.data?.filter((each) => each.environment === wanted) ?? [];
  const rows = of(environment);
  const taken = rows.map(({ key }) => key);
  const add = (
    <Button variant="primary" icon={<Icon of={Plus} />} onClick={() => setOpen({ kind: 'add' })}>
      Add variable
    </Button>
  );
  return (
    <>
      <ProjectBreadcrumbs id={id} name={project.data?.name} here="Variables" />
      <PageHeader
        title="Variables"
        count={project.data ? `of ${project.data.name}` : null}
        actions={
          <>
            <Button icon={<Icon of={ClipboardPaste} />} onClick={() => setOpen({ kind: 'paste', text: '' })}>
              Paste .env
            </Button>
            {add}
          </>
        }
      />
      <Explanation />
      <Loaded query={combineQueries(project, variables)} failed="The variables could not be loaded. Nothing was changed." isSpaced />
      <Tabs
        label="Environment"
        tabs={[
          { id: 'production', label: 'Production', count: variables.data ? of('production').length : undefined },
          { id: 'preview', label: 'Preview', count: variables.data ? of('preview').length : undefined },
        ]}
        value={environment}
        onChange={(next) => void navigate({ search: next === 'preview' ? { environment: 'preview' } : {}, replace: true })}
      >
        {project.data && variables.data ? (
          <Suspense fallback={null}>
            <RedeployOffer
              projectId={id}
              environment={environment}
              variables={rows}
              removed={removed.filter((each) => each.environment === environment).map(({ key }) => key)}
              onTaken={() => setRemoved(removed.filter((each) => each.environment !== environment))}
            />
          </Suspense>
        ) : null}
        {variables.isPending ? <Skeleton rows={4} /> : null}
        {variables.data && rows.length === 0 ? <EmptyState action={add}>No variables in {environment} yet.</EmptyState> : null}
        {rows.length > 0 ? <VariablesTable environment={environment} rows={rows} onOpen={setOpen} /> : null}
      </Tabs>
      <VariableDialogs
        open={open}
        projectId={id}
        environment={environment}
        taken={taken}
        onOpen={setOpen}
        onRemoved={(variable) => setRemoved([...removed, variable])}
      />
    </>
  );
}

const NoSuchProject = () => (
  <>
    <PageHeader title="Variables" />
    <EmptyState action={<ButtonLink to="/projects">All projects</ButtonLink>}>Project not found. It may have been deleted.</EmptyState>
  </>
);

const Explanation = () => (
  <p className="mb-4 max-w-text text-muted">
    Environment variables and secrets of the agent. Values are stored encrypted and can be replaced, but never read back here or through the
    API. Changes take effect with the next deployment or restart. An environment has at most {variableLimits.count} variables with{' '}
    {variableLimits.sumBytes / 1024} KiB in names and values.
  </p>
);

type TableProps = { environment: Environment; rows: readonly Variable[]; onOpen: (open: Open) => void };

function VariablesTable({ environment, rows, onOpen }: TableProps) {
  const columns: Column<Variable>[] = [
    { head: 'Name', lead: true, cell: ({ key }) => <span className="font-mono text-mono break-all">{key}</span> },
    { head: 'Value', cell: () => <span className="text-subtle">Set, never shown</span> },
    { head: 'Available at build', cell: ({ available_at_build }) => (available_at_build ? 'Yes' : 'No') },
    { head: 'Updated', cell: ({ updated_at }) => <Timestamp at={updated_at} /> },
    {
      head: 'Actions',
      quiet: true,
      cell: (variable) => (
        <span className="flex gap-2 py-1 sm:justify-end">
          <Button onClick={() => onOpen({ kind: 'replace', variable })} aria-label={`Replace the value of ${variable.key}`}>
            Replace
          </Button>
          <Button variant="danger" onClick={() => onOpen({ kind: 'remove', variable })} aria-label={`Remove ${variable.key}`}>
            Remove
          </Button>
        </span>
      ),
    },
  ];
  return <Table caption={`Variables in ${environment}`} columns={columns} rows={rows} rowKey={({ key }) => key} />;
}

type DialogsProps = {
  open: Open | undefined;
  projectId: string;
  environment: Environment;
  /** Names that are in use. */
  taken: readonly string[];
  onOpen: (open: Open | undefined) => void;
  onRemoved: (variable: Variable) => void;
};

function VariableDialogs({ open, projectId, environment, taken, onOpen, onRemoved }: DialogsProps) {
  const close = () => onOpen(undefined);
  return (
    <Suspense fallback={null}>
      {open?.kind === 'add' || open?.kind === 'replace' ? (
        <VariableDialog
          projectId={projectId}
          environment={environment}
          replaced={open.kind === 'replace' ? open.variable : undefined}
          taken={taken}
          onBlock={(text) => onOpen({ kind: 'paste', text })}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'paste' ? (
        <PasteDialog projectId={projectId} environment={environment} text={open.text} taken={taken} onClose={close} />
      ) : null}
      {open?.kind === 'remove' ? (
        <RemoveDialog projectId={projectId} variable={open.variable} onClose={close} onRemoved={onRemoved} />
      ) : null}
    </Suspense>
  );
}

type RemoveProps = Pick<DialogsProps, 'projectId' | 'onRemoved'> & { variable: Variable; onClose: () => void };

function RemoveDialog({ projectId, variable, onClose, onRemoved }: RemoveProps) {
  const remove = useRemoveVariable(projectId, variable.environment);
  return (
    <ConfirmDialog
      open
      danger
      title={`Remove ${variable.key} from ${variable.environment}?`}
      confirmLabel="Remove variable"
      busy={remove.isPending}
      error={failureText(remove.error, 'Failed to remove the variable. Nothing was changed.')}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(variable.key, {
          onSuccess: () => {
            onRemoved(variable);
            onClose();
          },
        })
      }
    >
      Its value cannot be recovered. A running agent keeps it until the next deployment.
    </ConfirmDialog>
  );
}
