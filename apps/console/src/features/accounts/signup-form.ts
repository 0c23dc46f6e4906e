import { passwordProblem } from '@paddock/contract/rules';

export type SignupForm = { name: string; email: string; password: string; confirm: string; terms: boolean };
export type SignupProblems = Partial<Record<keyof SignupForm, string>>;

/** Problems that the browser does not check itself, by field; empty when the form may be sent. */
export function signupProblems({ password, confirm, terms }: SignupForm): SignupProblems {
  return {
    ...newPasswordProblems({ password, confirm }),
    ...(terms ? {} : { terms: 'You must accept the Terms of Service' }),
  };
}

/** The problems of a new password and its repetition alone. */
export function newPasswordProblems({ password, confirm }: { password: string; confirm: string }): { password?: string; confirm?: string } {
  const tooWeak = passwordProblem(password);
  return {
    ...(tooWeak ? { password: tooWeak } : {}),
    ...(password === confirm ? {} : { confirm: 'Passwords do not match' }),
  };
}
