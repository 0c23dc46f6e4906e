import { passwordProblem } from '@paddock/contract/rules';

export type SignupForm = { name: string; email: string; password: string; confirm: string; terms: boolean };
export type SignupProblems = Partial<Record<keyof SignupForm, string>>;

/** What the browser does not check by itself, by field; empty when the form may be sent. */
export function signupProblems({ password, confirm, terms }: SignupForm): SignupProblems {
  const tooWeak = passwordProblem(password);
  return {
    ...(tooWeak ? { password: tooWeak } : {}),
    ...(password === confirm ? {} : { confirm: 'Passwords do not match' }),
    ...(terms ? {} : { terms: 'You must accept the Terms of Service' }),
  };
}
