'use client';

import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import Link from 'next/link';
import { DropdownMenu } from 'radix-ui';
import { startTransition } from 'react';

const ITEM =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 py-1 text-sm outline-none select-none data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0';

type Props = {
  current: { id: string; name: string };
  organizations: { id: string; name: string }[];
  switchTo: (id: string) => Promise<void>;
};

/** Shows the current organization and switches to others. */
export function OrganizationMenu({ current, organizations, switchTo }: Props) {
  const choose = (id: string) => {
    if (id !== current.id) startTransition(() => switchTo(id));
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        className="flex h-8 min-w-0 items-center gap-1 rounded-md px-1.5 text-sm hover:bg-sunken data-[state=open]:bg-sunken"
        aria-label={`Organization: ${current.name}`}
      >
        <span className="truncate">{current.name}</span>
        <ChevronsUpDown className="size-3.5 shrink-0 text-muted" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={6}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) w-64 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          <DropdownMenu.RadioGroup value={current.id} onValueChange={choose} aria-label="Organization">
            {organizations.map(({ id, name }) => (
              <DropdownMenu.RadioItem key={id} value={id} className={ITEM}>
                <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
                <DropdownMenu.ItemIndicator>
                  <Check />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item className={ITEM} asChild>
            <Link prefetch={false} href="/organizations">
              <Plus />
              New organization
            </Link>
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
