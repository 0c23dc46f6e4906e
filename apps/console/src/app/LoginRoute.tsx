import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { isCliLogin } from '../features/accounts/cli/loopback-callback.ts';
import { LoginPage } from '../features/accounts/LoginPage.tsx';
import { ProviderButtons } from '../features/oauth/ProviderButtons.tsx';

const CliLoginPage = lazy(() => import('../features/accounts/cli/CliLoginPage.tsx').then((module) => ({ default: module.CliLoginPage })));

/** /login, opened by a person or by the command line. */
export function LoginRoute() {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  if (!isCliLogin(search)) return <LoginPage Providers={Providers} />;
  return (
    <Suspense fallback={null}>
      <CliLoginPage search={search} Providers={Providers} />
    </Suspense>
  );
}

const Providers = ({ remember }: { remember: () => boolean }) => <ProviderButtons action="sign in" remember={remember} />;
