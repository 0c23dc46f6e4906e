import type { ReactNode } from 'react';
import { PageLink } from '../../navigation/links.tsx';
import { ThemeToggle } from '../../ui/controls/ThemeToggle.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';
import { Logo } from '../../ui/theme/Logo.tsx';

type Props = {
  title: string;
  /** The error of the form. The head grows into the space above it, so that no control moves. */
  error?: string | undefined;
  children: ReactNode;
  below?: ReactNode;
  /** Text to read instead of a form to fill in. */
  article?: boolean;
};

/** The frame around the pages for people who are not signed in. */
export function AccountFrame(props: Props) {
  const { title, error, children, below, article = false } = props;
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-12 items-center justify-between px-4 lg:px-7">
        <Logo />
        <ThemeToggle />
      </header>
      <main className={`mx-auto flex w-full grow flex-col px-4 pb-12 ${article ? 'max-w-[72ch]' : 'max-w-100'}`}>
        <div className={`flex flex-col justify-end ${article ? 'pt-[9vh]' : 'min-h-[calc(max(9vh,6rem)+3rem)]'}`}>
          <h1 className="text-title font-bold">{title}</h1>
          {'error' in props ? (
            <div className={error ? 'pt-3' : ''}>
              <FormError>{error}</FormError>
            </div>
          ) : null}
        </div>
        <div className="mt-5">{children}</div>
        {below ? <p className="mt-6 text-base text-muted">{below}</p> : null}
      </main>
      <footer className="flex justify-center gap-4 px-4 pb-6 text-sm text-muted">
        <PageLink to="/terms">Terms of Service</PageLink>
        <PageLink to="/privacy">Privacy Policy</PageLink>
      </footer>
    </div>
  );
}
