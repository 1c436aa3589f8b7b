'use client';

import { Command as Cmdk } from 'cmdk';
import type { ReactNode } from 'react';

/** A line of the palette; `value` tells it from all others. */
export function PaletteItem({
  value,
  onSelect,
  children,
}: {
  value: string;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Cmdk.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 data-[selected=true]:bg-sunken [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {children}
    </Cmdk.Item>
  );
}

/** Lines under a heading; nothing without a line. */
export function PaletteGroup({ heading, children }: { heading: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <Cmdk.Group
      heading={heading}
      className="p-1 [&>[cmdk-group-heading]]:px-2.5 [&>[cmdk-group-heading]]:pt-1.5 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:text-xs [&>[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Cmdk.Group>
  );
}
