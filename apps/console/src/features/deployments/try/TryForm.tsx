import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

type Props = { label: string; isUnderWay: boolean; onSubmit: () => void; children: ReactNode };

/** A form with a shortcut that submits it from each of its fields. */
export function TryForm({ label, isUnderWay, onSubmit, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  // The button that opened the form is gone, so the keyboard focus moves to the first field.
  useEffect(() => {
    if (!form.current?.parentElement?.contains(document.activeElement))
      form.current?.querySelector<HTMLElement>('select,textarea,input')?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isUnderWay) onSubmit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key sends the form from each of its fields
    <form ref={form} aria-label={label} noValidate className="flex flex-col gap-3" onSubmit={submit} onKeyDown={onKeyDown}>
      {children}
    </form>
  );
}
