'use client';

import { ChevronDown } from 'lucide-react';
import dynamic from 'next/dynamic';
import { MenuButton } from '@/components/ui/menu/menu-button';
import type { UserMenuProps } from './user-menu-items';

const load = () => import('./user-menu-items').then((module) => module.UserMenuItems);
const Items = dynamic(load, { ssr: false });

/** The account menu: profile, shortcuts, theme, and signing out. */
export function UserMenu(props: UserMenuProps) {
  const { email } = props;
  return (
    <MenuButton
      label={`Account menu for ${email}`}
      className="flex h-8 max-w-36 items-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-sunken hover:text-ink data-[state=open]:bg-sunken"
      preload={load}
      menu={(open) => <Items open={open} {...props} />}
    >
      <span
        aria-hidden="true"
        className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent text-xs font-medium text-accent-ink uppercase sm:hidden"
      >
        {email.slice(0, 1)}
      </span>
      <span className="hidden truncate sm:inline">{email}</span>
      <ChevronDown className="size-3.5 shrink-0" />
    </MenuButton>
  );
}
