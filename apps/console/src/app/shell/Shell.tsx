import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { isDemo, useSession } from '../../api/session.ts';
import { listenForShortcuts, useShortcutsEnabled } from '../../commands/shortcuts.ts';
import { Payment } from '../../features/billing/Payment.tsx';
import { SystemBanners } from '../../features/system/SystemBanners.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { readPreference, storePreference } from '../../ui/preferences/preference.ts';
import { Logo } from '../../ui/theme/Logo.tsx';
import { Header } from './Header.tsx';
import { useLiveRefresh } from './live-refresh.ts';
import type { Overlay } from './Overlays.tsx';
import { useLogout, useProfile } from './profile.ts';
import { retryNow, useReachable } from './reachability.ts';
import { Sidebar } from './Sidebar.tsx';
import { useShellCommands } from './shell-commands.ts';

const NavigationSheet = lazy(() => import('./NavigationSheet.tsx').then((module) => ({ default: module.NavigationSheet })));
const Overlays = lazy(() => import('./Overlays.tsx').then((module) => ({ default: module.Overlays })));

/** The frame around every page of a signed-in person. */
export function Shell() {
  const session = useSession();
  const logout = useLogout();
  const showKeys = useShortcutsEnabled();
  const [narrow, setNarrow] = useState(() => readPreference('paddock_sidebar') === 'narrow');
  const [sheet, setSheet] = useState<boolean | null>(null);
  const [overlay, setOverlay] = useState<Overlay>();
  const main = useFocusAfterNavigation();
  useProfile();
  useLiveRefresh();

  useEffect(
    () =>
      listenForShortcuts(
        () => setOverlay('palette'),
        () => setOverlay('shortcuts'),
      ),
    [],
  );
  useShellCommands({ openShortcuts: () => setOverlay('shortcuts'), logout });

  // The session has just ended: the router is about to go to /login.
  if (!session) return null;
  const { user } = session;
  const changeNarrow = (next: boolean) => {
    setNarrow(next);
    storePreference('paddock_sidebar', next ? 'narrow' : null);
  };
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-20 rounded-control bg-accent px-3 py-2 font-semibold text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside
        className={`sticky top-0 flex h-dvh shrink-0 flex-col border-r border-border bg-sunken transition-[width] duration-180 ease-out max-lg:hidden ${narrow ? 'w-14' : 'w-55'}`}
      >
        <div className="flex h-12 shrink-0 items-center px-4">
          <Logo short={narrow} />
        </div>
        <div className="min-h-0 grow">
          <Sidebar narrow={narrow} person={user} showKeys={showKeys} onLogout={logout} />
        </div>
      </aside>
      <div className="flex min-w-0 grow flex-col">
        <Header
          plan={user.plan ? user.plan.charAt(0).toUpperCase() + user.plan.slice(1) : 'Starter'}
          narrow={narrow}
          onNarrowChange={changeNarrow}
          onOpenNavigation={() => setSheet(true)}
          onOpenPalette={() => setOverlay('palette')}
          onOpenShortcuts={() => setOverlay('shortcuts')}
        />
        <main id="main" ref={main} tabIndex={-1} className="w-full max-w-[1320px] grow px-4 py-5 outline-none lg:px-7">
          {isDemo(session.token) ? (
            <div className="mb-4">
              <Banner>
                <b className="font-bold">Demo data</b>: samples to explore. Changes are lost when you reload.
              </Banner>
            </div>
          ) : null}
          <Unreachable />
          <SystemBanners />
          <Payment />
          <Outlet />
        </main>
      </div>
      <Suspense fallback={null}>
        {sheet === null ? null : <NavigationSheet open={sheet} onClose={() => setSheet(false)} person={user} onLogout={logout} />}
        {overlay === undefined ? null : <Overlays overlay={overlay} onChange={setOverlay} />}
      </Suspense>
    </div>
  );
}

/** A notice above pages that may be out of date. It is part of the frame: nothing can be loaded while it is needed. */
function Unreachable() {
  if (useReachable()) return <div role="status" />;
  return (
    <div role="status" className="mb-4">
      <Banner tone="warning" action={<Button onClick={retryNow}>Try now</Button>}>
        <b className="font-bold">Paddock does not answer.</b> This page shows what was loaded last. It is brought up to date when Paddock
        answers again.
      </Banner>
    </div>
  );
}

/** Focuses the new page when the address changes, so that keyboards and screen readers continue there. */
function useFocusAfterNavigation() {
  const main = useRef<HTMLElement>(null);
  const path = useLocation({ select: (location) => location.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}
