import type { ReactNode } from 'react';

interface Props {
  /** Accessible name, for people who do not see the surrounding text. */
  label: string;
  onClick: () => void;
  children: ReactNode;
}

/** A button that looks like a link inside text, and opens something on this page. */
export const LinkButton = ({ label, onClick, children }: Props) => (
  <button
    type="button"
    aria-label={label}
    onClick={onClick}
    className="min-h-6 rounded-control font-mono text-mono font-semibold text-accent underline decoration-1 underline-offset-3 hover:text-accent-hover hover:decoration-2"
  >
    {children}
  </button>
);
