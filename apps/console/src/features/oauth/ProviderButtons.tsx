import { type Provider, providerNames, providers } from '@paddock/contract/providers';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../app/failure.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { providersQuery, useLeave } from './queries.ts';

type Props = {
  action: 'sign in' | 'sign up';
  /** Read when a button is pressed. */
  remember?: () => boolean;
};

/** One button for each provider; one that is not configured here looks quiet, and says how to configure it. */
export function ProviderButtons({ action, remember }: Props) {
  const { data } = useQuery({ ...providersQuery, retry: false });
  const leave = useLeave();
  const [hint, setHint] = useState<string>();
  const quiet = new Map(data?.providers?.flatMap(({ provider, hint: how }) => (how ? [[provider, how] as const] : [])));
  const failed = leave.variables ? providerNames[leave.variables.provider] : '';
  const error = failureText(leave.error, `Failed to ${action} with ${failed}`);

  const press = (provider: Provider) => {
    const how = quiet.get(provider);
    setHint(how);
    leave.reset();
    if (how || leave.isPending) return;
    // The CLI's sign-in has to find its way back to its own address.
    const isForCli = new URLSearchParams(location.search).get('cli') === 'true';
    const sent = { provider, remember: remember?.() ?? false, ...(isForCli ? { next: location.pathname + location.search } : {}) };
    leave.mutate(sent, {
      onError: (cause) => void toast.error(failureText(cause, `Failed to ${action} with ${providerNames[provider]}`) ?? ''),
    });
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
            variant={quiet.has(provider) ? 'ghost' : 'secondary'}
            wide
            busy={leave.isPending && leave.variables.provider === provider}
            onClick={() => press(provider)}
          >
            {providerNames[provider]}
            {quiet.has(provider) ? <span className="sr-only">(not configured)</span> : null}
          </Button>
        ))}
      </div>
      {error ? <FormError>{error}</FormError> : null}
      <div role="status" className="wrap-anywhere">
        {hint ? <Banner>{hint}</Banner> : null}
      </div>
    </section>
  );
}
