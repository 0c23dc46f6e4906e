import { ApiError } from '@paddock/contract/errors';
import { fieldError } from '../../app/failure.ts';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import type { DeployOrder } from './use-deploy.ts';

type Form = Pick<DeployOrder, 'database_mode' | 'redis_url' | 'postgres_url'>;

const explained: Record<Form['database_mode'], string> = {
  none: 'The agent gets no DATABASE_URL and no REDIS_URL.',
  byo: 'The agent gets the addresses below as REDIS_URL and DATABASE_URL. They are kept encrypted.',
  managed: 'Paddock provides PostgreSQL and Redis for this environment. An installation that cannot says so before anything is built.',
};

interface Props {
  form: Form;
  onChange: (change: Partial<Form>) => void;
  error: unknown;
}

export function DatabaseFields({ form, onChange, error }: Props) {
  const isUnavailable = error instanceof ApiError && error.code === 'database_mode_unavailable';
  return (
    <>
      <Field
        label="Database"
        hint={explained[form.database_mode]}
        error={fieldError(error, 'database_mode') ?? (isUnavailable ? 'Choose another mode for this installation.' : undefined)}
      >
        <Select value={form.database_mode} onChange={(event) => onChange({ database_mode: event.target.value as Form['database_mode'] })}>
          <option value="none">None</option>
          <option value="managed">Managed</option>
          <option value="byo">BYO (your own)</option>
        </Select>
      </Field>
      {form.database_mode === 'byo' ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Redis URL" hint="Optional" error={fieldError(error, 'redis_url')}>
            <Input
              value={form.redis_url}
              mono
              autoComplete="off"
              spellCheck={false}
              placeholder="redis://user:password@host:6379"
              onChange={(event) => onChange({ redis_url: event.target.value.trim() })}
            />
          </Field>
          <Field label="PostgreSQL URL" hint="Optional" error={fieldError(error, 'postgres_url')}>
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
      ) : null}
    </>
  );
}
