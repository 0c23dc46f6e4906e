import { type ReactNode, useId } from 'react';

type Props<Id extends string> = {
  label: string;
  options: readonly { id: Id; label: string; hint: ReactNode }[];
  value: Id;
  onChange: (id: Id) => void;
};

/** A choice between a few options that each need a sentence. */
export function RadioGroup<Id extends string>({ label, options, value, onChange }: Props<Id>) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-semibold">{label}</legend>
      {options.map((option) => (
        <label
          key={option.id}
          className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-start gap-x-2.5 rounded-control border border-border px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={name}
            aria-labelledby={`${name}-${option.id}-label`}
            aria-describedby={`${name}-${option.id}-hint`}
            checked={option.id === value}
            onChange={() => onChange(option.id)}
            className="mt-1 accent-accent"
          />
          <span id={`${name}-${option.id}-label`} className="text-base font-semibold">
            {option.label}
          </span>
          <span id={`${name}-${option.id}-hint`} className="col-start-2 text-sm text-muted">
            {option.hint}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
