import { Popover } from '@base-ui/react/popover';
import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { RefObject } from 'react';
import { failureText } from '../../../api/failure.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { AlertRow } from './AlertRow.tsx';
import { openAlertsQuery, useResolveAlert, useSnoozeAlert } from './queries.ts';

interface Props {
  open: boolean;
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** The open alerts, below the bell. */
export function AlertsPopup({ open, anchor, onClose }: Props) {
  const alerts = useInfiniteQuery(openAlertsQuery);
  const resolve = useResolveAlert();
  const snooze = useSnoozeAlert();
  const rows = alerts.data?.pages.flatMap((page) => page.alerts) ?? [];
  return (
    <Popover.Root open={open} onOpenChange={(to) => (to ? undefined : onClose())}>
      <Popover.Portal container={anchor.current?.closest('header') ?? undefined}>
        <Popover.Positioner anchor={anchor} side="bottom" align="end" sideOffset={4} collisionPadding={8} className="z-30">
          <Popover.Popup
            finalFocus={anchor}
            className="flex max-h-[min(36rem,calc(100dvh-5rem))] w-[min(26rem,calc(100vw-1rem))] flex-col rounded-box border border-border bg-raised text-text shadow-menu outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <div className="flex h-12 shrink-0 items-center gap-3 border-b border-border pr-2 pl-3.5">
              <Popover.Title className="grow text-md font-bold">Alerts</Popover.Title>
              <IconButton label="Close" icon={<Icon of={X} />} onClick={onClose} />
            </div>
            <div className="min-h-0 grow overflow-y-auto">
              <div className="p-3 empty:hidden">
                <Loaded query={alerts} failed="The alerts could not be loaded." />
              </div>
              {alerts.isPending ? <Skeleton rows={3} /> : null}
              {alerts.data && rows.length === 0 ? (
                <p className="px-3.5 py-6 text-center text-muted">
                  No open alerts. Alerts appear here when an alert rule matches, a deployment, backup or restore fails, an agent keeps
                  crashing, or a database fills up.
                </p>
              ) : null}
              <ul aria-label="Open alerts">
                {rows.map((alert) => (
                  <AlertRow
                    key={alert.id}
                    alert={alert}
                    busy={resolve.isPending && resolve.variables === alert.id}
                    onResolve={() => resolve.mutate(alert.id)}
                    onSnooze={(minutes) => snooze.mutate({ id: alert.id, minutes })}
                    onLeave={onClose}
                  />
                ))}
              </ul>
              {alerts.hasNextPage ? (
                <div className="p-3">
                  <Button busy={alerts.isFetchingNextPage} onClick={() => void alerts.fetchNextPage()}>
                    Load more
                  </Button>
                </div>
              ) : null}
            </div>
            {resolve.error || snooze.error ? (
              <div className="shrink-0 border-t border-border p-3">
                <FormError>
                  {failureText(resolve.error, 'The alert could not be resolved. It is still open.') ??
                    failureText(snooze.error, 'The alert could not be snoozed. Nothing was changed.')}
                </FormError>
              </div>
            ) : null}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
