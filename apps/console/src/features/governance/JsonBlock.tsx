import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { visibleJson } from './visible-json.ts';

interface Props {
  title: string;
  value: unknown;
  /** Remarks about the value. */
  notes?: readonly string[];
}

/** A value as formatted JSON, to be read and copied. */
export function JsonBlock({ title, value, notes = [] }: Props) {
  const text = visibleJson(value);
  return (
    <section aria-label={title}>
      <div className="flex min-h-8 items-center gap-2">
        <h3 className="text-sm font-semibold">{title}</h3>
        <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} />
      </div>
      {notes.length > 0 ? <p className="mb-1 text-sm text-muted">{notes.join(' ')}</p> : null}
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrollable by keyboard
        tabIndex={0}
        role="region"
        aria-label={`${title}, as JSON`}
        className="max-h-72 overflow-y-auto border border-border bg-sunken px-3 py-2 font-mono text-mono wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
    </section>
  );
}
