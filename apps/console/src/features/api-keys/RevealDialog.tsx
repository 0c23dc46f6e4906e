import type { CreatedKey } from '@paddock/contract';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { readSession } from '../../api/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { CodeSample } from '../../ui/text/CodeSample.tsx';
import { environmentLines, firstCall } from './curl-lines.ts';
import { messages } from './messages.ts';

/** Shows a new key, once. Escape, the cross, a press outside and leaving the page ask first whether the key is stored. */
export function RevealDialog({ created: { api_key, key_info, warning }, onStored }: { created: CreatedKey; onStored: () => void }) {
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
        title={messages.created}
        description={`${key_info.name} (${key_info.is_test_key ? 'Test' : 'Live'})`}
        footer={
          <Button variant="primary" onClick={onStored}>
            I have stored it
          </Button>
        }
      >
        <div className="flex flex-col gap-4">
          <Banner tone="warning">{warning}</Banner>
          <div className="flex flex-wrap items-center gap-2">
            <code
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- one press marks all of it, for copying by hand
              tabIndex={0}
              aria-label="API key"
              className="min-w-0 flex-1 basis-64 rounded-control border border-border-strong bg-sunken px-3 py-1.5 font-mono text-mono break-all select-all"
            >
              {api_key}
            </code>
            <CopyButton text={api_key} label="Copy key" word="Copy key" onCopied={() => toast.success(messages.copied)} />
          </div>
          <div>
            <h3 className="mb-1 text-sm font-semibold">For a shell or a pipeline</h3>
            <CodeSample code={environmentLines(api_key)} label="Environment with the key" />
          </div>
          <div>
            <h3 className="mb-1 text-sm font-semibold">To try it</h3>
            <CodeSample code={firstCall()} label="First call with the key" />
          </div>
        </div>
      </Dialog>
      <ConfirmDialog
        open={asking}
        title="Have you stored the key?"
        confirmLabel="I have stored it"
        onClose={() => setAsking(false)}
        onConfirm={onStored}
      >
        It cannot be shown again. If it is lost, revoke it and create another one.
      </ConfirmDialog>
    </>
  );
}
