import { Switch } from '../controls/Switch.tsx';
import { Kbd } from '../text/Kbd.tsx';
import type { Command } from './command.ts';
import { Dialog } from './Dialog.tsx';

type Props = {
  open: boolean;
  onClose: () => void;
  commands: readonly Command[];
  /** Keys that are not commands, such as the palette's own. */
  fixed: readonly { label: string; keys: string }[];
  enabled: boolean;
  onEnabledChange: (enabled: boolean) => void;
};

/** All current shortcuts, and the switch that turns single keys off. */
export function ShortcutSheet({ open, onClose, commands, fixed, enabled, onEnabledChange }: Props) {
  const rows = [...fixed, ...commands.flatMap(({ label, group, keys }) => (keys ? [{ label: `${group}: ${label}`, keys }] : []))];
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Keyboard shortcuts"
      size="small"
      footer={<Switch label="Single-key shortcuts" checked={enabled} onChange={(event) => onEnabledChange(event.target.checked)} />}
    >
      <dl className="divide-y divide-border">
        {rows.map(({ label, keys }) => (
          <div key={label} className="flex min-h-8 items-center justify-between gap-4">
            <dt>{label}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
