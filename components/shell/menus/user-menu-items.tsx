import { BookOpen, Check, Keyboard, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import Link from 'next/link';
import { DropdownMenu } from 'radix-ui';
import { startTransition } from 'react';
import type { OpenMenu } from '@/components/ui/menu/menu-button';
import { MENU_ITEM, MenuPanel, MenuSeparator } from '@/components/ui/menu/menu-panel';
import { chooseTheme } from '../choose-theme';
import { showOverlay } from '../overlay';
import { readTheme, THEMES, type Theme } from '../theme';

const THEME_LOOKS = {
  light: { label: 'Light', Icon: Sun },
  dark: { label: 'Dark', Icon: Moon },
  system: { label: 'System', Icon: Monitor },
} as const;

export type UserMenuProps = {
  email: string;
  theme: Theme;
  setTheme: (theme: Theme) => Promise<void>;
  signOut: () => Promise<void>;
};

export function UserMenuItems({ open, email, theme, setTheme, signOut }: UserMenuProps & { open: OpenMenu }) {
  return (
    <MenuPanel open={open} align="end" className="w-56">
      <DropdownMenu.Label className="truncate px-2 py-1.5 text-xs text-muted">{email}</DropdownMenu.Label>
      <DropdownMenu.Item asChild className={MENU_ITEM}>
        <Link prefetch={false} href="/settings/profile">
          <UserRound />
          Your profile
        </Link>
      </DropdownMenu.Item>
      <DropdownMenu.Item className={MENU_ITEM} onSelect={() => showOverlay('keys')}>
        <Keyboard />
        Keyboard shortcuts
      </DropdownMenu.Item>
      <DropdownMenu.Item asChild className={MENU_ITEM}>
        <Link prefetch={false} href="/docs/guide">
          <BookOpen />
          User guide
        </Link>
      </DropdownMenu.Item>
      <MenuSeparator />
      <DropdownMenu.RadioGroup
        value={theme}
        onValueChange={(value) => chooseTheme(readTheme(value), setTheme)}
        aria-label="Theme"
      >
        {THEMES.map((each) => {
          const { label, Icon } = THEME_LOOKS[each];
          return (
            <DropdownMenu.RadioItem key={each} value={each} className={MENU_ITEM}>
              <Icon />
              {label}
              <DropdownMenu.ItemIndicator className="ml-auto">
                <Check />
              </DropdownMenu.ItemIndicator>
            </DropdownMenu.RadioItem>
          );
        })}
      </DropdownMenu.RadioGroup>
      <MenuSeparator />
      <DropdownMenu.Item className={MENU_ITEM} onSelect={() => startTransition(() => signOut())}>
        <LogOut />
        Sign out
      </DropdownMenu.Item>
    </MenuPanel>
  );
}
