import { Check, Plus } from 'lucide-react';
import Link from 'next/link';
import { DropdownMenu } from 'radix-ui';
import { startTransition } from 'react';
import type { OpenMenu } from '@/components/ui/menu/menu-button';
import { MENU_ITEM, MenuPanel, MenuSeparator } from '@/components/ui/menu/menu-panel';

export type OrganizationMenuProps = {
  current: { id: string; name: string };
  organizations: { id: string; name: string }[];
  switchTo: (id: string) => Promise<void>;
};

type Props = OrganizationMenuProps & { open: OpenMenu };

export function OrganizationMenuItems({ open, current, organizations, switchTo }: Props) {
  const choose = (id: string) => {
    if (id !== current.id) startTransition(() => switchTo(id));
  };
  return (
    <MenuPanel
      open={open}
      align="start"
      className="max-h-(--radix-dropdown-menu-content-available-height) w-64 overflow-y-auto"
    >
      <DropdownMenu.RadioGroup value={current.id} onValueChange={choose} aria-label="Organization">
        {organizations.map(({ id, name }) => (
          <DropdownMenu.RadioItem key={id} value={id} className={MENU_ITEM}>
            <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
            <DropdownMenu.ItemIndicator>
              <Check />
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <MenuSeparator />
      <DropdownMenu.Item className={MENU_ITEM} asChild>
        <Link prefetch={false} href="/organizations">
          <Plus />
          New organization
        </Link>
      </DropdownMenu.Item>
    </MenuPanel>
  );
}
