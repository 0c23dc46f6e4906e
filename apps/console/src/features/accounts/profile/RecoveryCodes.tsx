import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Checkbox } from '../../../ui/controls/Checkbox.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { saveText } from './save-text.ts';

/** Recovery codes, shown only once: the dialog closes only after a confirmation that they are stored. */
export function RecoveryCodes({ title, codes, onStored }: { title: string; codes: readonly string[]; onStored: () => void }) {
  const [isStored, setStored] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const text = codes.join('\n');
  const done = () => (isStored ? onStored() : setAsked(true));
  return (
    <Dialog
      open
      onClose={done}
      title={title}
      description="If you lose your phone, each of these codes signs you in once. They are shown only now."
      footer={
        <Button variant="primary" onClick={done}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <ul
          aria-label="Recovery codes"
          className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-control border border-border bg-sunken p-3 sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code} className="font-mono text-mono">
              {code}
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2.5">
          <CopyButton text={text} label="Copy recovery codes" word="Copy" />
          <Button onClick={() => saveText('paddock-recovery-codes.txt', `${text}\n`)}>Save as a file</Button>
        </div>
        <Banner tone="warning">
          Store them where you can reach them without your phone. Anyone with a code and your password can sign in.
        </Banner>
        <Checkbox
          label="I have stored the recovery codes"
          checked={isStored}
          onChange={(event) => setStored(event.target.checked)}
          error={isAsked && !isStored ? 'They cannot be shown again. Store them first.' : undefined}
        />
      </div>
    </Dialog>
  );
}
