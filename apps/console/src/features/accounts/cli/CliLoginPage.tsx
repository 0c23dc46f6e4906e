import { type ComponentProps, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { LoginPage } from '../LoginPage.tsx';
import { CliApproval } from './CliApproval.tsx';
import { CliFailureDialog } from './CliFailureDialog.tsx';
import { type CliFailure, callbackRefused, cliNotDetected } from './cli-failure.ts';
import { type CallbackFound, loopbackCallback } from './loopback-callback.ts';
import { useCliKey } from './use-cli-key.ts';

const title = 'CLI Authentication';

type Props = Pick<ComponentProps<typeof LoginPage>, 'Providers'> & { search: string };

/** /login for the command line: sign in if necessary, then one click creates a key and sends it to the waiting tool. */
export function CliLoginPage({ search, Providers }: Props) {
  const session = useSession();
  const found = loopbackCallback(search);
  const [failure, setFailure] = useState<CliFailure | null>(() => findRefusal(found));
  const { name, state, authorize } = useCliKey(setFailure);

  function again({ again: how }: CliFailure) {
    setFailure(null);
    if (how === 'reload') location.reload();
    if (how === 'create' && 'callback' in found) void authorize(found.callback);
  }
  const dialog = failure ? <CliFailureDialog failure={failure} onClose={() => setFailure(null)} onAgain={() => again(failure)} /> : null;
  if (!('callback' in found)) {
    const { message, solution } = findRefusal(found) ?? cliNotDetected;
    return (
      <AccountFrame title={title}>
        <div role="alert">
          <Banner tone="error">
            {message} {solution}
            {found.problem === 'refused' ? <span className="block font-mono text-mono break-all">{found.given}</span> : null}
          </Banner>
        </div>
        {dialog}
      </AccountFrame>
    );
  }
  const banner = (
    <div className="mb-4">
      <Banner>
        The command line is waiting at <span className="block font-mono text-mono break-all">{found.callback.shown}</span>
      </Banner>
    </div>
  );
  if (!session)
    return (
      <>
        <LoginPage title={title} banner={banner} Providers={Providers} />
        {dialog}
      </>
    );
  return (
    <AccountFrame title={title}>
      {banner}
      <CliApproval session={session} name={name} state={state} onAuthorize={() => void authorize(found.callback)} />
      {dialog}
    </AccountFrame>
  );
}

function findRefusal(found: CallbackFound): CliFailure | null {
  if ('callback' in found) return null;
  return found.problem === 'missing' ? cliNotDetected : callbackRefused(found.given);
}
