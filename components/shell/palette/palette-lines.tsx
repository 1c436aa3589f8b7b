'use client';

import { Command as Cmdk } from 'cmdk';
import { StandingBadge } from '@/components/monitors/standing-badge';
import { KeyCaps } from '../shortcuts/key-caps';
import type { PaletteGroup, PaletteItem } from './palette-item';

/** The lines of the palette under their headings. */
export function PaletteLines({ groups, onChosen }: { groups: PaletteGroup[]; onChosen: () => void }) {
  return groups.map(({ heading, items }) => (
    <Cmdk.Group
      key={heading}
      heading={heading}
      className="p-1 [&>[cmdk-group-heading]]:truncate [&>[cmdk-group-heading]]:px-2.5 [&>[cmdk-group-heading]]:pt-1.5 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:text-xs [&>[cmdk-group-heading]]:text-muted"
    >
      {items.map((item) => (
        <Line key={item.value} item={item} onChosen={onChosen} />
      ))}
    </Cmdk.Group>
  ));
}

function Line({ item, onChosen }: { item: PaletteItem; onChosen: () => void }) {
  const { value, label, detail, Icon, standing, keys, run } = item;
  return (
    <Cmdk.Item
      value={value}
      onSelect={() => {
        onChosen();
        run();
      }}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 data-[selected=true]:bg-sunken"
    >
      {Icon ? <Icon className="size-4 shrink-0 text-muted" aria-hidden="true" /> : null}
      <span className={`min-w-0 truncate ${standing ? '' : 'flex-1'}`}>{label}</span>
      {detail ? (
        <span
          className={
            standing ? 'min-w-0 flex-1 truncate font-mono text-xs text-muted max-sm:hidden' : 'text-muted'
          }
        >
          {detail}
        </span>
      ) : null}
      {standing ? <StandingBadge standing={standing} className="ml-auto shrink-0 font-normal" /> : null}
      {keys ? <KeyCaps stroke={keys} /> : null}
    </Cmdk.Item>
  );
}
