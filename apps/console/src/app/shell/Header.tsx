import { BookOpen, Braces, CircleHelp, Keyboard, Menu as MenuIcon, PanelLeft, Search, SquareTerminal } from 'lucide-react';
import { AlertsBell } from '../../features/alerts/bell/AlertsBell.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { ThemeToggle } from '../../ui/controls/ThemeToggle.tsx';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { Kbd } from '../../ui/text/Kbd.tsx';
import { PlanLabel } from '../../ui/text/PlanLabel.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';
import { Logo } from '../../ui/theme/Logo.tsx';

type Props = {
  plan: string;
  narrow: boolean;
  onNarrowChange: (narrow: boolean) => void;
  onOpenNavigation: () => void;
  onOpenPalette: () => void;
  onOpenShortcuts: () => void;
};

const paletteKeys = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/** The header of every page: the palette, the plan, help and the theme, always in the same place. */
export function Header({ plan, narrow, onNarrowChange, onOpenNavigation, onOpenPalette, onOpenShortcuts }: Props) {
  return (
    <header className="sticky top-0 z-20 flex h-12 shrink-0 items-center gap-2 border-b border-border bg-canvas px-4 max-sm:pr-2 max-sm:pl-1 lg:px-7">
      <div className="flex items-center gap-2 max-sm:gap-1 lg:hidden">
        <IconButton label="Open navigation" icon={<Icon of={MenuIcon} />} onClick={onOpenNavigation} />
        {/* Beside five controls of 44 px there is no room for the name. */}
        <span className="sm:hidden">
          <Logo short />
        </span>
        <span className="max-sm:hidden">
          <Logo />
        </span>
      </div>
      <div className="-ml-2 max-lg:hidden">
        <IconButton
          label={narrow ? 'Expand sidebar' : 'Collapse sidebar'}
          icon={<Icon of={PanelLeft} />}
          aria-pressed={narrow}
          onClick={() => onNarrowChange(!narrow)}
        />
      </div>
      <div className="ml-auto flex items-center gap-2 max-sm:gap-0.5">
        <div className="max-sm:hidden">
          <Button variant="secondary" onClick={onOpenPalette}>
            Search <Kbd keys={paletteKeys} />
          </Button>
        </div>
        <div className="sm:hidden">
          <IconButton label="Search" icon={<Icon of={Search} />} onClick={onOpenPalette} />
        </div>
        <span className="max-sm:hidden">
          <PlanLabel plan={plan} />
        </span>
        <AlertsBell />
        <Menu
          label="Help"
          groups={[
            [
              { label: 'Documentation', icon: BookOpen, href: '/docs/guides', newTab: true },
              { label: 'API reference', icon: Braces, href: '/docs', newTab: true },
              { label: 'Install the CLI', icon: SquareTerminal, href: '/docs/cli', newTab: true },
              { label: 'Keyboard shortcuts', icon: Keyboard, onSelect: onOpenShortcuts },
            ],
          ]}
        >
          <Icon of={CircleHelp} />
        </Menu>
        <ThemeToggle />
      </div>
    </header>
  );
}
