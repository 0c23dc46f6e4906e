import { CopyButton } from '../controls/CopyButton.tsx';

/** Lines to read or copy. It scrolls horizontally; `label` names it for screen readers and the copy button. */
export function CodeSample({ code, label }: { code: string; label: string }) {
  return (
    <div className="flex min-w-0 items-start gap-1 rounded-control border border-border bg-sunken py-1 pr-1 pl-3">
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrollable by keyboard
        tabIndex={0}
        role="region"
        aria-label={label}
        className="min-w-0 grow overflow-x-auto rounded-control py-1.5 font-mono text-mono text-text"
      >
        <code>{code}</code>
      </pre>
      <CopyButton text={code} label={`Copy: ${label}`} />
    </div>
  );
}
