import { Outlet, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Toasts } from '../ui/feedback/Toasts.tsx';

/** What is around every page, signed in or not: the window's title and the toasts. */
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
