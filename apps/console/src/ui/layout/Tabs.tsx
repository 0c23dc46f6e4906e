import { type KeyboardEvent, type ReactNode, useId } from 'react';

type Props<Id extends string> = {
  /** Accessible name of the tab list. */
  label: string;
  tabs: readonly { id: Id; label: string; count?: number | undefined }[];
  value: Id;
  onChange: (id: Id) => void;
  /** The panel of the chosen tab. */
  children: ReactNode;
};

/** Tabs: arrow keys move and choose, Tab moves into the panel. Keep the chosen id in the address, so that it can be shared. */
export function Tabs<Id extends string>({ label, tabs, value, onChange, children }: Props<Id>) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = tabs.findIndex((tab) => tab.id === value);
    const to = { ArrowRight: (at + 1) % tabs.length, ArrowLeft: (at - 1 + tabs.length) % tabs.length, Home: 0, End: tabs.length - 1 }[
      event.key
    ];
    const target = to === undefined ? undefined : tabs[to];
    if (!target) return;
    event.preventDefault();
    onChange(target.id);
    document.getElementById(`${id}-${target.id}`)?.focus();
  };
  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="flex gap-5 overflow-x-auto border-b border-border"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={() => onChange(tab.id)}
            className="-mb-px inline-flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent text-base font-semibold text-muted -outline-offset-2 transition-colors hover:text-text aria-selected:border-accent aria-selected:text-text pointer-coarse:h-11"
          >
            {tab.label}
            {tab.count === undefined ? null : <span className="text-sm font-normal text-muted">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="pt-4">
        {children}
      </div>
    </div>
  );
}
