import type { DeploymentDetail } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { api } from '../../../api/api.ts';
import { failureText, fieldError } from '../../../api/failure.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { variablesQuery } from '../../variables/queries.ts';
import { may } from '../may.ts';
import { startedMessage } from '../messages.ts';
import { useRefreshDeployments } from '../queries.ts';
import { missingVariables } from './missing-variables.ts';

/** The variables that a failed deployment misses, as fields, and a button that stores them and deploys the same code again. */
export function MissingVariables({ deployment }: { deployment: DeploymentDetail }) {
  const { id, project_id, environment, failed_stage } = deployment;
  const { data } = useQuery(variablesQuery(project_id));
  const navigate = useNavigate();
  const refresh = useRefreshDeployments();
  const [values, setValues] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const work = useAction({
    mutationFn: async (given: Record<string, string>, intention) => {
      const variables = Object.entries(given).map(([key, value]) => {
        const known = data?.find((each) => each.key === key && each.environment === environment);
        return { key, value, available_at_build: failed_stage === 'building' || known?.available_at_build === true };
      });
      await api.variables.set({ project_id, environment, variables });
      return api.deployments.redeploy({ id }, intention);
    },
    onSettled: refresh,
  });
  // Not shown until it is known which variables are set: a field must not disappear while somebody types.
  if (!data || !may.redeploy(deployment)) return null;
  const set = new Set(data.filter((each) => each.environment === environment).map(({ key }) => key));
  const missing = missingVariables(deployment, new Set([...set, ...deployment.databases.map(({ env_var }) => env_var)]));
  if (missing.length === 0) return null;

  const filled = missing.map(({ name }) => name).filter((name) => values[name]);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = Object.fromEntries(filled.map((name) => [name, values[name] ?? '']));
    if (filled.length === 0) return setProblem('Enter a value first.');
    work.mutate(given, {
      onSuccess: (made) => {
        toast.success(startedMessage);
        void navigate({ to: '/deployments/$id', params: { id: made.id } });
      },
    });
  };
  return (
    <form onSubmit={onSubmit} aria-label="Missing variables" className="form-stack mt-3 max-w-text text-text">
      {missing.map(({ name, example, isSecret }, index) => (
        <Field
          key={name}
          label={name}
          hint={[set.has(name) ? 'Set already: a new value replaces it.' : '', example ? `For example ${example}` : '']
            .filter(Boolean)
            .join(' ')}
          error={fieldError(work.error, `variables.${filled.indexOf(name)}.value`) ?? (index === 0 ? problem : undefined)}
        >
          <Input
            mono
            type={isSecret ? 'password' : 'text'}
            autoComplete={isSecret ? 'new-password' : 'off'}
            autoCapitalize="none"
            spellCheck={false}
            value={values[name] ?? ''}
            onChange={(event) => {
              setProblem(undefined);
              setValues({ ...values, [name]: event.target.value });
            }}
          />
        </Field>
      ))}
      <FormError>{failureText(work.error, 'Failed to save the variables and redeploy.')}</FormError>
      <div>
        <Button type="submit" variant="primary" busy={work.isPending}>
          Save and redeploy
        </Button>
      </div>
    </form>
  );
}
