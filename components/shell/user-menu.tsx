'use client';

import { Check, ChevronDown, Keyboard, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import Link from 'next/link';
import { DropdownMenu } from 'radix-ui';
import { startTransition } from 'react';
import { chooseTheme } from './choose-theme';
import { showOverlay } from './overlay';
import { readTheme, THEMES, type Theme } from './theme';

const THEME_LOOKS = {
  light: { label: 'Light', Icon: Sun },
  dark: { label: 'Dark', Icon: Moon },
  system: { label: 'System', Icon: Monitor },
} as const;

const ITEM =
  'flex h-8 cursor-pointer items-center gap-2 rounded px-2 text-sm outline-none select-none data-highlighted:bg-sunken [&_svg]:size-4';

type Props = {
  email: string;
  theme: Theme;
  setTheme: (theme: Theme) => Promise<void>;
  signOut: () => Promise<void>;
};

/** The account menu: profile, shortcuts, theme, and signing out. */
export function UserMenu({ email, theme, setTheme, signOut }: Props) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        className="flex h-8 max-w-60 items-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-sunken hover:text-ink data-[state=open]:bg-sunken"
        aria-label={`Account menu for ${email}`}
      >
        <span
          aria-hidden="true"
          className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent text-xs font-medium text-accent-ink uppercase sm:hidden"
        >
          {email.slice(0, 1)}
        </span>
        <span className="hidden truncate sm:inline">{email}</span>
        <ChevronDown className="size-3.5 shrink-0" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-50 w-56 rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          <DropdownMenu.Label className="truncate px-2 py-1.5 text-xs text-muted">{email}</DropdownMenu.Label>
          <DropdownMenu.Item asChild className={ITEM}>
            <Link prefetch={false} href="/settings/profile">
              <UserRound />
              Your profile
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item className={ITEM} onSelect={() => showOverlay('keys')}>
            <Keyboard />
            Keyboard shortcuts
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.RadioGroup
            value={theme}
            onValueChange={(value) => chooseTheme(readTheme(value), setTheme)}
            aria-label="Theme"
          >
            {THEMES.map((each) => {
              const { label, Icon } = THEME_LOOKS[each];
              return (
                <DropdownMenu.RadioItem key={each} value={each} className={ITEM}>
                  <Icon />
                  {label}
                  <DropdownMenu.ItemIndicator className="ml-auto">
                    <Check />
                  </DropdownMenu.ItemIndicator>
                </DropdownMenu.RadioItem>
              );
            })}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item className={ITEM} onSelect={() => startTransition(() => signOut())}>
            <LogOut />
            Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
