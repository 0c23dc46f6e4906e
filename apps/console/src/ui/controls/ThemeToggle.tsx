import { Monitor, Moon, Sun } from 'lucide-react';
import { setThemeChoice, themeChoices, useThemeChoice } from '../preferences/theme-choice.ts';
import { Icon } from '../theme/Icon.tsx';
import { IconButton } from './IconButton.tsx';

const icons = { system: Monitor, light: Sun, dark: Moon } as const;

/** Cycles through system, light and dark. */
export function ThemeToggle() {
  const choice = useThemeChoice();
  const next = themeChoices[(themeChoices.indexOf(choice) + 1) % themeChoices.length] ?? 'system';
  return (
    <IconButton label={`Theme: ${choice}. Switch to ${next}`} icon={<Icon of={icons[choice]} />} onClick={() => setThemeChoice(next)} />
  );
}
