import { Outlet, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Toasts } from '../ui/feedback/Toasts.tsx';

/** The window title and the toasts, on every page whether signed in or not. */
export function Root() {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  useEffect(() => {
    document.title = title ? `${title} · Paddock` : 'Paddock';
  }, [title]);
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  );
}
