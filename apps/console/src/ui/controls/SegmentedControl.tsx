import { useId } from 'react';

type Props<Id extends string> = {
  /** Accessible name of the choice: 'Time range'. */
  label: string;
  options: readonly { id: Id; label: string }[];
  value: Id;
  onChange: (id: Id) => void;
};

/** A choice between a few short options, all visible. Native radio buttons provide the keyboard control. */
export function SegmentedControl<Id extends string>({ label, options, value, onChange }: Props<Id>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className="inline-flex">
      {options.map((option) => (
        <label
          key={option.id}
          className="relative -ml-px inline-flex h-8 cursor-pointer items-center border border-border-strong bg-surface px-3 text-base font-semibold text-muted transition-colors first:ml-0 first:rounded-l-control last:rounded-r-control hover:text-text has-checked:z-1 has-checked:border-accent has-checked:bg-accent-soft has-checked:text-text has-focus-visible:z-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-coarse:h-11"
        >
          <input
            type="radio"
            name={name}
            checked={option.id === value}
            onChange={() => onChange(option.id)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
