import dynamic from 'next/dynamic';
import type { ComponentType, ReactNode } from 'react';
import { MenuButton, type OpenMenu } from './menu-button';

type Props<Items> = { label: string; className: string; items: Items; children: ReactNode };

/** A `MenuButton` for items, whose code `load` loads when someone is about to open the menu. */
export function lazyMenu<Items extends object>(
  load: () => Promise<ComponentType<Items & { open: OpenMenu }>>,
) {
  const Panel = dynamic(load, { ssr: false });
  return function LazyMenu({ items, ...button }: Props<Items>) {
    return <MenuButton preload={load} menu={(open) => <Panel open={open} {...items} />} {...button} />;
  };
}
