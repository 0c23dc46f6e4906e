import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Input } from './Input.tsx';

/** The text is applied this long after the last key. */
const typingMs = 250;

type Props = Omit<ComponentProps<typeof Input>, 'value' | 'onChange'> & { value: string; onChange: (value: string) => void };

/** A field whose text is stored elsewhere, for example in the address. It reports changes shortly after the last key. */
export function TypedInput({ value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState(value);
  const known = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  // A value that changed in the address, for example by Back, replaces the typed text.
  useEffect(() => {
    if (known.current === value) return;
    known.current = value;
    clearTimeout(timer.current);
    // oxlint-disable-next-line react/set-state-in-effect -- the address is outside of React
    setTyped(value);
  }, [value]);
  const type = (next: string) => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      known.current = next;
      // Call the latest handler: other parameters may have changed since the key press.
      latest.current(next);
    }, typingMs);
  };
  return <Input {...rest} value={typed} onChange={(event) => type(event.target.value)} />;
}
