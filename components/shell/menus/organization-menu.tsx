'use client';

import { ChevronsUpDown } from 'lucide-react';
import dynamic from 'next/dynamic';
import { MenuButton } from '@/components/ui/menu/menu-button';
import type { OrganizationMenuProps } from './organization-menu-items';

const load = () => import('./organization-menu-items').then((module) => module.OrganizationMenuItems);
const Items = dynamic(load, { ssr: false });

/** Shows the current organization and switches to others. */
export function OrganizationMenu(props: OrganizationMenuProps) {
  const { current } = props;
  return (
    <MenuButton
      label={`Organization: ${current.name}`}
      className="flex h-8 min-w-0 items-center gap-1 rounded-md px-1.5 text-sm hover:bg-sunken data-[state=open]:bg-sunken"
      preload={load}
      menu={(open) => <Items open={open} {...props} />}
    >
      <span className="truncate">{current.name}</span>
      <ChevronsUpDown className="size-3.5 shrink-0 text-muted" />
    </MenuButton>
  );
}
