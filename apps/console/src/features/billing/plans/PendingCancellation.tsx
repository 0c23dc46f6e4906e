import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { useResume } from '../queries.ts';
import { dateText, messages } from '../words.ts';

/** Shows when a cancelled subscription ends, and can undo the cancellation. */
export function PendingCancellation({ end }: { end: string }) {
  const resume = useResume();
  return (
    <div className="mt-2">
      <Banner
        tone="warning"
        action={
          <Button
            busy={resume.isPending}
            onClick={() => resume.mutate(undefined, { onSuccess: () => toast.success('The subscription continues') })}
          >
            Undo
          </Button>
        }
      >
        Your subscription will be cancelled on {dateText(end)}. Until then, nothing changes.
      </Banner>
      <div className="has-[p]:mt-2">
        <FormError>{failureText(resume.error, messages.resume)}</FormError>
      </div>
    </div>
  );
}
