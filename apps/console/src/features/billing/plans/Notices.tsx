import type { BillingNotice } from '@paddock/contract';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { useDismissNotice } from '../queries.ts';
import { messages } from '../words.ts';

/** Maximum number of notices shown, to leave room for the page; dismissing one shows the next. */
const shown = 3;

/** Past events of the subscription that nobody has dismissed yet. */
export function Notices({ notices }: { notices: readonly BillingNotice[] }) {
  const dismiss = useDismissNotice();
  if (notices.length === 0) return null;
  return (
    <div className="mb-4 flex flex-col gap-2">
      <ul aria-label="Notices" className="flex list-none flex-col gap-2">
        {notices.slice(0, shown).map((notice) => (
          <Notice key={notice.id} of={notice} onDismiss={() => dismiss.mutate(notice.id)} />
        ))}
      </ul>
      {notices.length > shown ? (
        <p className="text-sm text-muted">{notices.length - shown} more. Dismiss a notice to see the next one.</p>
      ) : null}
      <FormError>{failureText(dismiss.error, messages.dismiss)}</FormError>
    </div>
  );
}

const Notice = ({ of: { at, text, is_problem }, onDismiss }: { of: BillingNotice; onDismiss: () => void }) => (
  <li>
    <Banner
      tone={is_problem ? 'warning' : 'neutral'}
      action={
        <Button variant="ghost" aria-label="Dismiss this notice" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    >
      {text}{' '}
      <span className="text-sm">
        <Timestamp at={at} />
      </span>
    </Banner>
  </li>
);
