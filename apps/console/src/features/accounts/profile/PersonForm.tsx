import type { Profile } from '@paddock/contract';
import { type SubmitEvent, useState } from 'react';
import { failureText, fieldError } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { given, useSavePerson } from './queries.ts';
import { ResendVerification } from './ResendVerification.tsx';

/** Name and e-mail address. A new address requires the password and takes effect once its mailed link is opened. */
export function PersonForm({ profile }: { profile: Profile }) {
  const save = useSavePerson();
  const [name, setName] = useState(profile.name);
  const [email, setEmail] = useState(profile.email);
  const [password, setPassword] = useState('');
  const isMoving = email.trim() !== profile.email;
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (save.isPending) return;
    save.mutate(isMoving ? { name, email: email.trim(), ...given(profile, password) } : { name }, {
      onSuccess: () => {
        setEmail(profile.email);
        setPassword('');
      },
    });
  };
  const problems = ['name', 'email', 'password'].map((path) => fieldError(save.error, path));
  const [nameProblem, emailProblem, passwordProblem] = problems;
  return (
    <Card title="Profile Information">
      <form onSubmit={onSubmit} className="form-stack">
        <Field label="Full name" required error={nameProblem}>
          <Input value={name} autoComplete="name" maxLength={120} onChange={(event) => setName(event.target.value)} />
        </Field>
        <div>
          <Field label="E-mail" required error={emailProblem}>
            <Input
              value={email}
              type="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setEmail(event.target.value)}
            />
          </Field>
          {isMoving ? null : <Verification profile={profile} />}
        </div>
        {isMoving && profile.has_password ? (
          <Field
            label="Your password, to confirm the new address"
            required
            error={passwordProblem}
            hint="Your address does not change until you open the link sent to the new one."
          >
            <Input value={password} type="password" autoComplete="current-password" onChange={(event) => setPassword(event.target.value)} />
          </Field>
        ) : null}
        <div>
          <Button type="submit" variant="primary" busy={save.isPending}>
            Save profile
          </Button>
        </div>
        {profile.pending_email && !isMoving ? (
          <div role="status">
            <Banner>
              A link was sent to <b className="font-bold break-words">{profile.pending_email}</b>. Open it within an hour to change your
              address.
            </Banner>
          </div>
        ) : null}
        <FormError>
          {problems.some(Boolean) ? undefined : failureText(save.error, 'Failed to save your profile. Nothing was changed.')}
        </FormError>
      </form>
    </Card>
  );
}

/** Whether the address is verified, and a button to verify it. */
const Verification = ({ profile: { email, email_verified } }: { profile: Profile }) => (
  <div className="mt-2 flex flex-wrap items-center gap-3">
    {email_verified ? (
      <Badge tone="success" glyph="tick">
        Verified
      </Badge>
    ) : (
      <>
        <Badge tone="warning" glyph="triangle">
          Not verified
        </Badge>
        <ResendVerification email={email} />
      </>
    )}
  </div>
);
