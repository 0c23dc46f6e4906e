/** The look that every text control shares. */
export const controlLook =
  'w-full rounded-control border border-border-strong bg-surface px-2.5 text-base text-text placeholder:text-subtle transition-colors hover:border-muted ' +
  'disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-error-dot pointer-coarse:min-h-11';
