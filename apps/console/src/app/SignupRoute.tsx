import { SignupPage } from '../features/accounts/SignupPage.tsx';
import { ProviderButtons } from '../features/oauth/ProviderButtons.tsx';

/** /signup, with the providers beside the form. */
export const SignupRoute = () => <SignupPage providers={<ProviderButtons action="sign up" />} />;
