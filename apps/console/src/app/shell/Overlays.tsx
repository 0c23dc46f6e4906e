import { useNavigate } from '@tanstack/react-router';
import { useAllCommands } from '../../commands/command-registry.ts';
import { setShortcutsEnabled, useShortcutsEnabled } from '../../commands/shortcuts.ts';
import { CommandMenu } from '../../ui/overlays/CommandMenu.tsx';
import { ShortcutSheet } from '../../ui/overlays/ShortcutSheet.tsx';
import { idCommands, useEntityCommands } from './entity-commands.ts';

/** The overlay that is open above the page. */
export type Overlay = 'palette' | 'shortcuts' | null;

const fixed = [
  { label: 'Search commands', keys: '⌘K or Ctrl K' },
  { label: 'Show keyboard shortcuts', keys: '?' },
];

/** The palette and the shortcut sheet, loaded when one of them is first opened. */
export function Overlays({ overlay, onChange }: { overlay: Overlay; onChange: (overlay: Overlay) => void }) {
  const commands = useAllCommands();
  const navigate = useNavigate();
  const entities = useEntityCommands(overlay === 'palette');
  const close = () => onChange(null);
  return (
    <>
      <CommandMenu
        open={overlay === 'palette'}
        onClose={close}
        commands={[...commands, ...entities]}
        typedCommands={(typed) => idCommands(typed, navigate)}
      />
      <ShortcutSheet
        open={overlay === 'shortcuts'}
        onClose={close}
        commands={commands}
        fixed={fixed}
        enabled={useShortcutsEnabled()}
        onEnabledChange={setShortcutsEnabled}
      />
    </>
  );
}
