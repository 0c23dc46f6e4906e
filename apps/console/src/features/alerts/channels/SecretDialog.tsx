import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { readSession } from '../../../api/session.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { TextLink } from '../../../ui/controls/TextLink.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { messages } from './words.ts';

interface Props {
  /** The channel's name. */
  name: string;
  secret: string;
  /** The secret replaced an earlier one. */
  isRotated: boolean;
  onStored: () => void;
}

/** Shows a signing secret, once. Escape, the cross, a press outside and leaving the page ask first whether the secret is stored. */
export function SecretDialog({ name, secret, isRotated, onStored }: Props) {
  const [asking, setAsking] = useState(false);
  useBlocker({
    shouldBlockFn: () => {
      const blocks = readSession() !== null; // a signed-out person may leave
      if (blocks) setAsking(true);
      return blocks;
    },
  });
  return (
    <>
      <Dialog
        open
        onClose={() => setAsking(true)}
        title={isRotated ? 'Secret rotated' : 'Channel created'}
        description={name}
        footer={
          <Button variant="primary" onClick={onStored}>
            I have stored it
          </Button>
        }
      >
        <div className="flex flex-col gap-4">
          <Banner tone="warning">Store the signing secret now: it is shown here once, and cannot be shown again.</Banner>
          <div className="flex flex-wrap items-center gap-2">
            <code
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- one press marks all of it, for copying by hand
              tabIndex={0}
              aria-label="Signing secret"
              className="min-w-0 flex-1 basis-64 rounded-control border border-border-strong bg-sunken px-3 py-1.5 font-mono text-mono break-all select-all"
            >
              {secret}
            </code>
            <CopyButton text={secret} label="Copy secret" word="Copy secret" onCopied={() => toast.success(messages.copied)} />
          </div>
          <p className="text-base text-muted">
            The receiver uses it to verify that a message comes from Paddock.{' '}
            {isRotated ? 'For 24 hours, messages are also signed with the old secret. ' : ''}
            <TextLink href="/docs/webhooks#verify-the-signature" target="_blank" rel="noreferrer">
              How to verify the signature
            </TextLink>
          </p>
        </div>
      </Dialog>
      <ConfirmDialog
        open={asking}
        title="Have you stored the secret?"
        confirmLabel="I have stored it"
        onClose={() => setAsking(false)}
        onConfirm={onStored}
      >
        It cannot be shown again. If it is lost, rotate the secret of the channel.
      </ConfirmDialog>
    </>
  );
}
