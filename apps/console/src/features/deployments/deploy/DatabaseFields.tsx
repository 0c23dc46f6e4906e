import type { Database, Environment } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { fieldError } from '../../../api/failure.ts';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { PlanLimitNote } from '../../billing/plan-limits/PlanLimitNote.tsx';
import { ManagedLacks } from '../../databases/ManagedLacks.tsx';
import { useStoredAddresses } from './stored-addresses.ts';
import type { DeployOrder } from './use-deploy.ts';

type Form = Pick<DeployOrder, 'database_mode' | 'redis_url' | 'postgres_url'>;

const explained: Record<Form['database_mode'], string> = {
  none: 'DATABASE_URL and REDIS_URL are not set.',
  byo: 'The agent gets your own addresses as REDIS_URL and DATABASE_URL. They are stored encrypted, also for later deployments.',
  managed:
    'Paddock runs PostgreSQL and Redis for this environment and gives the agent DATABASE_URL and REDIS_URL. The data is kept across deployments and deleted with the project.',
};

interface Props {
  form: Form;
  onChange: (change: Partial<Form>) => void;
  error: unknown;
  /** The project whose stored addresses are used for empty fields; undefined for a new project. */
  projectId: string | undefined;
  environment: Environment;
}

export function DatabaseFields({ form, onChange, error, projectId, environment }: Props) {
  const isUnavailable = error instanceof ApiError && error.code === 'database_mode_unavailable';
  return (
    <>
      <Field
        label="Database"
        hint={explained[form.database_mode]}
        error={
          fieldError(error, 'database_mode') ?? (isUnavailable ? 'Not available on this installation. Choose another mode.' : undefined)
        }
      >
        <Select value={form.database_mode} onChange={(event) => onChange({ database_mode: event.target.value as Form['database_mode'] })}>
          <option value="none">None</option>
          <option value="managed">Managed</option>
          <option value="byo">BYO (your own)</option>
        </Select>
      </Field>
      {form.database_mode === 'managed' ? (
        <>
          <ManagedLacks />
          <PlanLimitNote kind="storage_gb">Environments that already have their databases can still be deployed.</PlanLimitNote>
        </>
      ) : null}
      {form.database_mode === 'byo' ? (
        <Addresses form={form} onChange={onChange} error={error} projectId={projectId} environment={environment} />
      ) : null}
    </>
  );
}

function Addresses({ form, onChange, error, projectId, environment }: Props) {
  const stored = useStoredAddresses(projectId, environment);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Redis URL" hint={hint(stored?.('redis'), environment)} error={fieldError(error, 'redis_url')}>
        <Input
          value={form.redis_url}
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="redis://user:password@host:6379"
          onChange={(event) => onChange({ redis_url: event.target.value.trim() })}
        />
      </Field>
      <Field label="PostgreSQL URL" hint={hint(stored?.('postgresql'), environment)} error={fieldError(error, 'postgres_url')}>
        <Input
          value={form.postgres_url}
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="postgresql://user:password@host:5432/name"
          onChange={(event) => onChange({ postgres_url: event.target.value.trim() })}
        />
      </Field>
    </div>
  );
}

const hint = (stored: Database | undefined, environment: Environment) =>
  stored
    ? `Optional. If empty, the stored address of ${environment} is used${stored.host ? `: ${stored.host}${stored.port === null ? '' : `:${stored.port}`}` : ''}.`
    : 'Optional. One of the two is enough.';
