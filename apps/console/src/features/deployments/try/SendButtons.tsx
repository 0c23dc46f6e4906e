import { Button } from '../../../ui/controls/Button.tsx';
import { Kbd } from '../../../ui/text/Kbd.tsx';

const sendKeys = navigator.platform.startsWith('Mac') ? '⌘↵' : 'Ctrl ↵';

export const SendButtons = ({ busy, cancel }: { busy: boolean; cancel: () => void }) => (
  <div className="flex flex-wrap items-center gap-2">
    <Button type="submit" variant="primary" busy={busy}>
      Send
    </Button>
    <Button onClick={cancel} disabled={!busy}>
      Cancel
    </Button>
    <span className="text-sm text-muted pointer-coarse:hidden">
      <Kbd keys={sendKeys} /> sends
    </span>
  </div>
);
