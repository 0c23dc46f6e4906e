import { scopes } from '@paddock/contract/scopes';
import { useEffect } from 'react';
import { endSession, isDemo, type Session } from '../../../api/session.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { isOwnDocument } from './cli-key.ts';

type Props = { session: Session; name: string; state: 'asking' | 'working' | 'done'; onAuthorize: () => void };

/** Shows which key will be created and for whom, and asks for one click. */
export function CliApproval({ session: { user, token }, name, state, onAuthorize }: Props) {
  useEffect(() => {
    if (!isOwnDocument()) location.reload();
  }, []);
  if (state === 'done')
    return (
      <p role="status" className="text-base">
        The key was sent to the command line. Return to your terminal.
      </p>
    );
  return (
    <div className="flex flex-col gap-4 text-base">
      {isDemo(token) ? (
        <Banner tone="warning">Demo data: the command line gets a sample key that does not work anywhere. No server is contacted.</Banner>
      ) : null}
      <p>The command line on this machine is requesting an API key that acts on your behalf.</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <dt className="text-muted">Key</dt>
        <dd className="font-semibold break-words">{name}</dd>
        <dt className="text-muted">For</dt>
        <dd className="break-words">
          {user.name} ({user.email})
        </dd>
        <dt className="text-muted">Scopes</dt>
        <dd>{Object.values(scopes).join(', ')}</dd>
        <dt className="text-muted">Valid</dt>
        <dd>until “paddock logout”, or until you revoke it</dd>
      </dl>
      <p className="text-muted">Continue only if you just ran “paddock login” yourself.</p>
      <Button variant="primary" wide busy={state === 'working'} onClick={onAuthorize}>
        {state === 'working' ? 'Authorizing...' : 'Authorize the command line'}
      </Button>
      <Button wide onClick={() => endSession()}>
        Use another account
      </Button>
    </div>
  );
}
