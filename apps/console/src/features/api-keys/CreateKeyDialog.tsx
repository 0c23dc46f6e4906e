import type { CreatedKey, Scope } from '@paddock/contract';
import { keyLimits } from '@paddock/contract/limits';
import { Plus } from 'lucide-react';
import { type SubmitEvent, useEffect, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText, fieldError } from '../../api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Input } from '../../ui/controls/Input.tsx';
import { Select } from '../../ui/controls/Select.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';
import { messages } from './messages.ts';
import { firstSelection } from './presets.ts';
import { useCreateKey } from './queries.ts';
import { ScopeFields } from './ScopeFields.tsx';

const lifetimes = [30, 90, 180, 365] as const;
const maxNameLength = 100;

export function CreateKeyDialog({ onClose, onMade }: { onClose: () => void; onMade: (created: CreatedKey) => void }) {
  const create = useCreateKey(onMade);
  const [name, setName] = useState('');
  const [isTest, setIsTest] = useState(false);
  const [days, setDays] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(firstSelection);
  useEffect(() => {
    if (create.error) toast.error(messages.create);
  }, [create.error]);

  const ready = name.trim() !== '' && scopes.length > 0;
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!ready || create.busy) return;
    void create.run({ name: name.trim(), is_test: isTest, scopes: [...scopes], ...(days ? { expires_in_days: Number(days) } : {}) });
  };
  const nameError = fieldError(create.error, 'name');
  return (
    <Dialog
      open
      onClose={create.busy ? () => undefined : onClose}
      title="Create API key"
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose} disabled={create.busy}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" icon={<Icon of={Plus} />} busy={create.busy} disabled={!ready}>
            {create.busy ? 'Creating...' : 'Create'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{nameError ? undefined : failureText(create.error, messages.create)}</FormError>
        <Field label="Name" required hint="Where the key is used, so that you can recognise it later." error={nameError}>
          <Input value={name} maxLength={maxNameLength} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
        <ScopeFields scopes={scopes} onChange={setScopes} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Kind" hint={`At most ${isTest ? keyLimits.test : keyLimits.live} requests per minute.`}>
            <Select value={isTest ? 'test' : 'live'} onChange={(event) => setIsTest(event.target.value === 'test')}>
              <option value="live">Live</option>
              <option value="test">Test</option>
            </Select>
          </Field>
          <Field label="Expires" hint={days ? 'The key stops working after that.' : 'The key works until you revoke it.'}>
            <Select value={days} onChange={(event) => setDays(event.target.value)}>
              <option value="">Never</option>
              {lifetimes.map((each) => (
                <option key={each} value={each}>
                  In {each} days
                </option>
              ))}
            </Select>
          </Field>
        </div>
      </div>
    </Dialog>
  );
}
