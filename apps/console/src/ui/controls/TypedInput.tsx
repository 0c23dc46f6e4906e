import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Input } from './Input.tsx';

/** Without a key for so long, what was typed is meant. */
const typingMs = 250;

type Props = Omit<ComponentProps<typeof Input>, 'value' | 'onChange'> & { value: string; onChange: (value: string) => void };

/** A field whose text is kept elsewhere, as in the address. It tells of changes a moment after the last key. */
export function TypedInput({ value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState(value);
  const known = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  // Another value in the address, as after Back, is not what is being typed here.
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
      // With what else has changed since the key was pressed.
      latest.current(next);
    }, typingMs);
  };
  return <Input {...rest} value={typed} onChange={(event) => type(event.target.value)} />;
}
