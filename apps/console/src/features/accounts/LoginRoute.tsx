import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { isCliLogin } from './cli/loopback-callback.ts';
import { LoginPage } from './LoginPage.tsx';

const CliLoginPage = lazy(() => import('./cli/CliLoginPage.tsx').then((module) => ({ default: module.CliLoginPage })));

/** /login as people open it, or as the command line has opened it. */
export function LoginRoute() {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  if (!isCliLogin(search)) return <LoginPage />;
  return (
    <Suspense fallback={null}>
      <CliLoginPage search={search} />
    </Suspense>
  );
}
