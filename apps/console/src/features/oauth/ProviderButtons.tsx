import { ApiError } from '@paddock/contract/errors';
import { type Provider, providerNames, providers } from '@paddock/contract/providers';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';
import { useLeave } from './queries.ts';

// The HTML page lists the configured providers, so that no request is needed before a press. Without the list all count as configured.
const configured = document.querySelector<HTMLMetaElement>('meta[name="paddock-providers"]')?.content.split(' ');
const isQuiet = (provider: Provider) => configured?.includes(provider) === false;

const isUnconfigured = (error: unknown) => error instanceof ApiError && error.code === 'provider_not_configured';

type Props = {
  action: 'sign in' | 'sign up';
  /** Read when a button is pressed. */
  remember?: () => boolean;
};

/** A button for each provider. The button of an unconfigured provider looks quiet, and shows how to configure it. */
export function ProviderButtons({ action, remember }: Props) {
  const leave = useLeave();
  const isHint = isUnconfigured(leave.error);
  const told = (error: unknown, provider: Provider) => failureText(error, `Failed to ${action} with ${providerNames[provider]}`);
  const message = leave.variables && told(leave.error, leave.variables.provider);

  const press = (provider: Provider) => {
    if (leave.isPending) return;
    // The CLI's sign-in must return to its own address.
    const isForCli = new URLSearchParams(location.search).get('cli') === 'true';
    const sent = { provider, remember: remember?.() ?? false, ...(isForCli ? { next: location.pathname + location.search } : {}) };
    leave.mutate(sent, { onError: (error) => isUnconfigured(error) || toast.error(told(error, provider) ?? '') });
  };
  return (
    <section aria-label={`${action === 'sign in' ? 'Sign in' : 'Sign up'} with a provider`} className="mt-6 flex flex-col gap-3">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:grow before:bg-border after:h-px after:grow after:bg-border">
        or continue with
      </p>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {providers.map((provider) => (
          <Button
            key={provider}
            variant={isQuiet(provider) ? 'quiet' : 'secondary'}
            wide
            busy={leave.isPending && leave.variables.provider === provider}
            onClick={() => press(provider)}
          >
            {providerNames[provider]}
            {isQuiet(provider) ? <span className="sr-only">(not configured)</span> : null}
          </Button>
        ))}
      </div>
      {message && !isHint ? <FormError>{message}</FormError> : null}
      <div role="status" className="wrap-anywhere">
        {isHint ? <Banner>{message}</Banner> : null}
      </div>
    </section>
  );
}
