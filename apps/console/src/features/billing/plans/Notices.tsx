import type { BillingNotice } from '@paddock/contract';
import { X } from 'lucide-react';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { useDismissNotice } from '../queries.ts';

/** More would push the page away: the older ones follow when these are dismissed. */
const shown = 3;

/** What happened to the subscription while nobody looked. */
export function Notices({ notices }: { notices: readonly BillingNotice[] }) {
  const dismiss = useDismissNotice();
  if (notices.length === 0) return null;
  return (
    <ul aria-label="Notices" className="mb-4 flex list-none flex-col gap-2">
      {notices.slice(0, shown).map(({ id, at, text, is_problem }) => (
        <li key={id}>
          <Banner
            tone={is_problem ? 'warning' : 'neutral'}
            action={<IconButton label="Dismiss this notice" icon={<Icon of={X} />} onClick={() => dismiss.mutate(id)} />}
          >
            {text}{' '}
            <span className="text-sm">
              <Timestamp at={at} />
            </span>
          </Banner>
        </li>
      ))}
      {notices.length > shown ? <li className="text-sm text-muted">{notices.length - shown} older below these.</li> : null}
    </ul>
  );
}
