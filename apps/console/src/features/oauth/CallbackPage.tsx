import { ApiError } from '@paddock/contract/errors';
import { providerNames } from '@paddock/contract/providers';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../api/failure.ts';
import { takeReturn } from '../../api/return-address.ts';
import { readSession } from '../../api/session.ts';
import { TextLink } from '../../ui/controls/TextLink.tsx';
import { AccountFrame } from '../accounts/AccountFrame.tsx';
import type { Handover } from './handover.ts';
import { SecondFactorForm } from './SecondFactorForm.tsx';
import { finish, type Returned, ReturnRefused, takeReturned } from './sign-in.ts';

type Stage = { at: 'completing' } | { at: 'code'; returned: Returned } | { at: 'failed'; message: string; back: string };

const returnMs = 3000;

/** The page to which providers redirect the browser. */
export function CallbackPage() {
  const router = useRouter();
  const [stage, setStage] = useState<Stage>({ at: 'completing' });
  const begun = useRef(false);

  const enter = useCallback(
    ({ purpose, next, provider }: Returned) => {
      if (purpose === 'link') toast.success(`${providerNames[provider]} linked`);
      router.history.replace(next ?? (purpose === 'link' ? '/settings' : (takeReturn() ?? '/dashboard')));
    },
    [router],
  );
  useEffect(() => {
    if (begun.current) return; // the authorization code is single-use
    begun.current = true;
    void complete(enter).then((failed) => failed && setStage(failed));
  }, [enter]);

  if (stage.at === 'failed') return <Failed {...stage} onReturn={() => router.history.replace(stage.back)} />;
  if (stage.at === 'code')
    return (
      <AccountFrame title="Two-factor sign-in">
        <SecondFactorForm
          submit={(code) => finish(stage.returned, code)}
          onDone={() => enter(stage.returned)}
          onGone={(message) => setStage({ at: 'failed', message, back: wayBack(stage.returned) })}
        />
      </AccountFrame>
    );
  return (
    <AccountFrame title="Completing Sign In...">
      <p role="status" className="text-md">
        Your provider confirmed your identity. This takes a moment.
      </p>
    </AccountFrame>
  );
}

/** Completes the sign-in and continues; returns the stage to show if it cannot. */
async function complete(enter: (returned: Returned) => void): Promise<Stage | null> {
  let returned: Returned | undefined;
  try {
    returned = takeReturned();
    await finish(returned);
    enter(returned);
    return null;
  } catch (error) {
    if (returned && error instanceof ApiError && error.code === 'second_factor_required') return { at: 'code', returned };
    const message = error instanceof ApiError ? failureText(error, otherwise) : (error as Error).message;
    const begun = error instanceof ReturnRefused ? error.begun : returned;
    return { at: 'failed', message: message || otherwise, back: wayBack(begun) };
  }
}

const otherwise = 'Failed to complete OAuth authentication';

/** The page from which to try again: the original sign-in page, or the settings for somebody who is signed in. */
const wayBack = (begun: Handover | undefined) => {
  if (begun?.purpose === 'link' && readSession()) return begun.next ?? '/settings';
  return begun?.next?.startsWith('/login') ? begun.next : '/login';
};

function Failed({ message, back, onReturn }: { message: string; back: string; onReturn: () => void }) {
  const go = useRef(onReturn);
  useEffect(() => {
    go.current = onReturn;
  });
  useEffect(() => {
    const timer = setTimeout(() => go.current(), returnMs);
    return () => clearTimeout(timer);
  }, []);
  const there = back.startsWith('/login') ? 'sign-in' : 'the previous page';
  return (
    <AccountFrame title="Authentication Failed">
      <p role="alert" className="text-md break-words">
        {message}
      </p>
      <p className="mt-4 text-base text-muted">
        You will return to {there} in 3 seconds. <TextLink href={back}>Return now</TextLink>
      </p>
    </AccountFrame>
  );
}
