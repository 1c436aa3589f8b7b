'use client';

import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { FieldNotes } from '@/components/ui/forms/field';
import type { MonitorName } from '@/lib/domain/monitors/dependencies/read-references';
import { AddMonitors, SEARCH_ID } from './add-monitors';
import { buttonId, DragHandle, type Move, OrderButtons, useOrderItem, useRefocus } from './order-parts';
import { OrderedList } from './ordered-list';
import { moveItem } from './page-values';

type Props = {
  monitors: readonly MonitorName[];
  chosen: readonly string[];
  error?: string;
  change: (chosen: readonly string[]) => void;
};

/** The ordered monitors of a page: reorder by drag and drop, by keyboard, or with buttons. */
export function MonitorOrder({ monitors, chosen, error, change }: Props) {
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  const nameOf = (id: string | number) => names.get(String(id)) ?? 'Deleted monitor';
  const [announcement, setAnnouncement] = useState('');
  const refocus = useRefocus(buttonId(chosen.at(-1) ?? '', 'remove'));

  const move = (from: number, to: number) => change(moveItem(chosen, from, to));
  const step = (id: string, direction: Move) => {
    const from = chosen.indexOf(id);
    const to = from + (direction === 'up' ? -1 : 1);
    if (to < 0 || to >= chosen.length) return;
    refocus(buttonId(id, direction));
    move(from, to);
    setAnnouncement(`${nameOf(id)} is now in position ${to + 1} of ${chosen.length}.`);
  };
  const remove = (id: string) => {
    const index = chosen.indexOf(id);
    const next = chosen[index + 1] ?? chosen[index - 1];
    refocus(next === undefined ? SEARCH_ID : buttonId(next, 'remove'));
    change(chosen.filter((one) => one !== id));
    setAnnouncement(`Removed ${nameOf(id)}.`);
  };
  const add = (ids: string[], nextFocus: string) => {
    const [first = ''] = ids;
    refocus(nextFocus);
    change([...chosen, ...ids]);
    setAnnouncement(ids.length === 1 ? `Added ${nameOf(first)}.` : `Added ${ids.length} monitors.`);
  };
  const drop = (id: string, over: string) => move(chosen.indexOf(id), chosen.indexOf(over));

  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">
        Monitors{' '}
        <span className="font-normal text-muted tabular-nums">
          {chosen.length} of {monitors.length}
        </span>
      </legend>
      <OrderedList keys={chosen} nameOf={nameOf} announcement={announcement} drop={drop}>
        {chosen.map((id, index) => (
          <MonitorOrderRow
            key={id}
            id={id}
            name={nameOf(id)}
            isFirst={index === 0}
            isLast={index === chosen.length - 1}
            step={step}
            remove={remove}
          />
        ))}
      </OrderedList>
      <AddMonitors
        monitors={monitors.filter(({ id }) => !chosen.includes(id))}
        isPageEmpty={chosen.length === 0}
        add={add}
      />
      <FieldNotes name="monitors" label="Monitors" error={error} />
    </fieldset>
  );
}

type MonitorOrderRowProps = {
  id: string;
  name: string;
  isFirst: boolean;
  isLast: boolean;
  step: (id: string, direction: Move) => void;
  remove: (id: string) => void;
};

function MonitorOrderRow(props: MonitorOrderRowProps) {
  const { id, name } = props;
  const { handle, item, dragged } = useOrderItem(id);
  return (
    <li
      {...item}
      className={cn(
        'flex items-center gap-1 border-b border-line bg-surface p-1 first:rounded-t-md last:rounded-b-md last:border-0',
        dragged,
      )}
    >
      <input type="hidden" name="monitors" value={id} />
      <DragHandle name={name} handle={handle} />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <OrderButtons {...props} />
    </li>
  );
}
