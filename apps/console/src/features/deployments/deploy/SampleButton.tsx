import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { useSample } from './start-sample.ts';

/** Deploys the sample agent with one click. */
export function SampleButton({ isPrimary = true }: { isPrimary?: boolean }) {
  const sample = useSample();
  return (
    <div className="flex flex-col gap-2">
      <Button variant={isPrimary ? 'primary' : 'secondary'} busy={sample.isPending} onClick={() => sample.mutate()}>
        Deploy the sample agent
      </Button>
      <FormError>{failureText(sample.error, 'Failed to create deployment')}</FormError>
    </div>
  );
}
