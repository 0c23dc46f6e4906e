import type { Database } from '@paddock/contract';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText, requestId } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { fullName, messages, variableNames } from '../messages.ts';
import { may } from '../states.ts';
import { maskedCommand, maskedUrl } from './mask.ts';
import { type Connection, useConnectionString } from './use-connection-string.ts';

interface Props {
  database: Database;
  onRotate: () => void;
  onChangeAddress: () => void;
  onClose: () => void;
}

/** The connection string, masked until it is revealed on request. Copying does not reveal it. */
export function ConnectionDialog({ database, onRotate, onChangeAddress, onClose }: Props) {
  const { connection, error, retry } = useConnectionString(database.id);
  const detail = failureText(error, 'Check the connection to the server.');
  return (
    <Dialog
      open
      onClose={onClose}
      title="Connection String"
      description={fullName(database)}
      footer={
        <>
          {may.rotate(database) ? <Button onClick={onRotate}>Rotate password</Button> : null}
          {may.readdress(database) ? <Button onClick={onChangeAddress}>Change address</Button> : null}
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {error ? <ErrorState message={`${messages.connection}: ${detail}`} requestId={requestId(error)} onRetry={retry} /> : null}
      {connection ? <Secret database={database} connection={connection} /> : null}
      {error || connection ? null : <Skeleton rows={2} />}
    </Dialog>
  );
}

function Secret({ database, connection: { connection_string, env_var, command } }: { database: Database; connection: Connection }) {
  const [isShown, setShown] = useState(false);
  const copied = () => toast.success(messages.copied);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 className="mb-1 text-sm font-semibold">Connection string</h3>
        <Line label="Connection string" text={isShown ? connection_string : maskedUrl(connection_string)} />
        <div className="mt-2 flex flex-wrap gap-2">
          <Button icon={<Icon of={isShown ? EyeOff : Eye} />} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
          </Button>
          <CopyButton text={connection_string} label="Copy connection string" word="Copy" onCopied={copied} />
        </div>
      </div>
      <p className="text-muted">
        {database.is_attached ? (
          <>
            Agents in {database.environment} receive it as the environment variable <Code>{env_var}</Code>.
          </>
        ) : (
          <>
            Agents do not use this copy. To use it in a program, set <Code>{variableNames[database.type]}</Code> yourself.
          </>
        )}{' '}
        {database.mode === 'managed' ? 'On the machine that Paddock runs on, this string works in any program.' : null}
      </p>
      <div>
        <h3 className="mb-1 text-sm font-semibold">In a terminal</h3>
        <Line label="Command for the terminal" text={isShown ? command : maskedCommand(command)} />
        <div className="mt-2">
          <CopyButton text={command} label="Copy command" word="Copy command" onCopied={copied} />
        </div>
      </div>
    </div>
  );
}

const Line = ({ label, text }: { label: string; text: string }) => (
  <code
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- for marking and copying by hand
    tabIndex={0}
    aria-label={label}
    className="block rounded-control border border-border-strong bg-sunken px-3 py-1.5 font-mono text-mono break-all select-all"
  >
    {text}
  </code>
);

const Code = ({ children }: { children: string }) => <code className="font-mono text-mono text-text">{children}</code>;
