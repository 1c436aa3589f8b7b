'use client';

import { ChevronDown } from 'lucide-react';
import { lazyMenu } from '@/components/ui/menu/lazy-menu';
import type { UserMenuProps } from './user-menu-items';

const Menu = lazyMenu(() => import('./user-menu-items').then((module) => module.UserMenuItems));

/** The account menu: profile, shortcuts, theme, and signing out. */
export function UserMenu(props: UserMenuProps) {
  const { email } = props;
  return (
    <Menu
      label={`Account menu for ${email}`}
      className="flex h-8 max-w-60 items-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-sunken hover:text-ink data-[state=open]:bg-sunken"
      items={props}
    >
      <span
        aria-hidden="true"
        className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent text-xs font-medium text-accent-ink uppercase sm:hidden"
      >
        {email.slice(0, 1)}
      </span>
      <span className="hidden truncate sm:inline">{email}</span>
      <ChevronDown className="size-3.5 shrink-0" />
    </Menu>
  );
}
