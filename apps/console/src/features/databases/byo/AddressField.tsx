import type { DatabaseType } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { failureText, fieldError } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';

const forms = {
  postgresql: 'postgresql://user:password@host:5432/name',
  redis: 'redis://user:password@host:6379',
} as const satisfies Record<DatabaseType, string>;

interface Props {
  type: DatabaseType;
  value: string;
  onChange: (url: string) => void;
  problem: string | undefined;
  error: unknown;
  checked: { reachable: boolean; message: string } | null;
  isChecking: boolean;
  onCheck: () => void;
}

/** The address of a BYO database, and whether it is reachable. */
export function AddressField({ type, value, onChange, problem, error, checked, isChecking, onCheck }: Props) {
  return (
    <>
      <Field
        label="Address"
        required
        hint={<>For example {forms[type]}. It is stored encrypted, and agents receive it on their next start.</>}
        error={problem ?? addressError(error)}
      >
        <Input
          value={value}
          mono
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={forms[type]}
          onChange={(event) => onChange(event.target.value.trim())}
        />
      </Field>
      <div className="flex flex-col items-start gap-2">
        <Button onClick={onCheck} busy={isChecking} disabled={value === ''}>
          Check address
        </Button>
        <div role="status" className="w-full empty:hidden">
          {checked ? <Banner tone={checked.reachable ? 'success' : 'warning'}>{checked.message}</Banner> : null}
        </div>
      </div>
    </>
  );
}

/** The server's validation error for the address itself. */
export const addressError = (error: unknown): string | undefined =>
  fieldError(error, 'url') ?? (error instanceof ApiError && error.code === 'database_address_refused' ? error.message : undefined);

/** Any other error, shown above the form. */
export const otherError = (error: unknown, otherwise: string): string | undefined =>
  addressError(error) ? undefined : failureText(error, otherwise);
