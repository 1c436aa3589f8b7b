'use client';

import { ChevronsUpDown } from 'lucide-react';
import { lazyMenu } from '@/components/ui/menu/lazy-menu';
import type { OrganizationMenuProps } from './organization-menu-items';

const Menu = lazyMenu(() =>
  import('./organization-menu-items').then((module) => module.OrganizationMenuItems),
);

/** Shows the current organization and switches to others. */
export function OrganizationMenu(props: OrganizationMenuProps) {
  const { current } = props;
  return (
    <Menu
      label={`Organization: ${current.name}`}
      className="flex h-8 min-w-0 items-center gap-1 rounded-md px-1.5 text-sm hover:bg-sunken data-[state=open]:bg-sunken"
      items={props}
    >
      <span className="truncate">{current.name}</span>
      <ChevronsUpDown className="size-3.5 shrink-0 text-muted" />
    </Menu>
  );
}
