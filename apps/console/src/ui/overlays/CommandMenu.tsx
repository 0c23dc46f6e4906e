import { Dialog as Base } from '@base-ui/react/dialog';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { Kbd } from '../text/Kbd.tsx';
import { type Command, matchCommands } from './command.ts';
import { backdropLook } from './dialog-look.ts';
import { noteCommand, readRecentCommands } from './recent-commands.ts';

type Props = {
  open: boolean;
  onClose: () => void;
  commands: readonly Command[];
  /** Commands that exist only for a typed text, such as a pasted id. */
  typedCommands?: (typed: string) => readonly Command[];
};

/** The command palette: type, move with the arrows, press Enter. */
export function CommandMenu({ open, onClose, commands, typedCommands }: Props) {
  // Read anew at each opening: a menu that is still closing is opened again as it is.
  const recent = useMemo(() => (open ? readRecentCommands() : []), [open]);
  return (
    <Base.Root open={open} onOpenChange={(to) => (to ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className={backdropLook} />
        <Base.Popup
          aria-label="Commands"
          className="fixed z-50 flex flex-col border-border bg-raised text-text shadow-dialog outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0 max-sm:inset-0 sm:top-[12vh] sm:left-1/2 sm:max-h-[70vh] sm:w-[min(36rem,calc(100vw-2rem))] sm:-translate-x-1/2 sm:rounded-box sm:border"
        >
          <Palette commands={commands} onClose={onClose} typedCommands={typedCommands} recent={recent} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

type PaletteProps = Omit<Props, 'open' | 'typedCommands'> & {
  typedCommands: Props['typedCommands'] | undefined;
  recent: readonly string[];
};

function Palette({ commands, onClose, typedCommands, recent }: PaletteProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const matching = matchCommands(commands, typed, recent);
  const known = new Set(matching.map((command) => command.id));
  const found = [...matching, ...(typedCommands?.(typed.trim()) ?? []).filter((command) => !known.has(command.id))];
  const chosen = found[Math.min(at, found.length - 1)];

  const run = (command: Command) => {
    onClose();
    noteCommand(command.id);
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      const to = (at + step + found.length) % found.length;
      setAt(to);
      document.getElementById(`${id}-${found[to]?.id}`)?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key === 'Enter' && chosen && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(chosen);
    }
  };
  return (
    <>
      <div className="flex items-center gap-2 border-b border-border pr-2">
        <input
          role="combobox"
          aria-label="Search commands"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
          autoComplete="off"
          placeholder="Search projects, deployments, pages and actions"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 grow bg-transparent px-4 text-md outline-none placeholder:text-subtle"
        />
        <Base.Close className="inline-flex min-h-6 items-center rounded-control pointer-coarse:min-h-11 pointer-coarse:min-w-11 pointer-coarse:justify-center">
          <span className="sr-only">Close </span>
          <Kbd keys="Esc" />
        </Base.Close>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Commands" className="min-h-0 grow overflow-y-auto p-1.5">
        {found.map((command, index) => (
          <div
            key={command.id}
            id={`${id}-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            onClick={() => run(command)}
            onKeyDown={onKeyDown}
            onPointerMove={() => setAt(index)}
            className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2.5 text-base aria-selected:bg-accent-soft pointer-coarse:min-h-11"
          >
            <span className="w-20 shrink-0 truncate text-sm text-muted">{command.group}</span>
            <span className="min-w-0 grow truncate">{command.label}</span>
            {command.keys ? <Kbd keys={command.keys} /> : null}
          </div>
        ))}
      </div>
      <p role="status" className={found.length > 0 ? 'sr-only' : 'px-4 pb-4 text-base text-muted'}>
        {found.length > 0
          ? `${found.length} ${found.length === 1 ? 'result' : 'results'}`
          : `Nothing matches${typed.trim() ? ` “${typed.trim()}”` : ''}.`}
      </p>
    </>
  );
}
