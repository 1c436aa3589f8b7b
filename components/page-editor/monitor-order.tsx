'use client';

import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { useEffect, useId, useRef, useState } from 'react';
import { FieldNotes } from '@/components/ui/field';
import { AddMonitors, SEARCH } from './add-monitors';
import { announce, INSTRUCTIONS } from './drag-texts';
import { MonitorOrderRow, type Move, moveButtonId } from './monitor-order-row';
import { type MonitorName, moved } from './page-values';

type Props = {
  monitors: readonly MonitorName[];
  chosen: readonly string[];
  error?: string;
  change: (chosen: readonly string[]) => void;
};

/** The monitors of a page in their order: by drag, by keyboard, or step by step with buttons. */
export function MonitorOrder({ monitors, chosen, error, change }: Props) {
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  const nameOf = (id: string | number) => names.get(String(id)) ?? 'Deleted monitor';
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const [said, setSaid] = useState('');
  const refocus = useRef<string | null>(null);

  // What changes its place in the document, or leaves it, loses the focus.
  useEffect(() => {
    if (refocus.current === null) return;
    const last = moveButtonId(chosen.at(-1) ?? '', 'remove');
    const wanted = document.getElementById(refocus.current) ?? document.getElementById(last);
    wanted?.focus();
    refocus.current = null;
  });

  const put = (from: number, to: number) => change(moved(chosen, from, to));
  const step = (id: string, move: Move) => {
    const from = chosen.indexOf(id);
    const to = from + (move === 'up' ? -1 : 1);
    if (to < 0 || to >= chosen.length) return;
    refocus.current = moveButtonId(id, move);
    put(from, to);
    setSaid(`${nameOf(id)} is now ${to + 1} of ${chosen.length}.`);
  };
  const remove = (id: string) => {
    const index = chosen.indexOf(id);
    const next = chosen[index + 1] ?? chosen[index - 1];
    refocus.current = next === undefined ? SEARCH : moveButtonId(next, 'remove');
    change(chosen.filter((one) => one !== id));
    setSaid(`${nameOf(id)} is no longer on the page.`);
  };
  const add = (ids: string[], nextFocus: string) => {
    const [first = ''] = ids;
    refocus.current = nextFocus;
    change([...chosen, ...ids]);
    setSaid(ids.length === 1 ? `${nameOf(first)} is on the page.` : `${ids.length} monitors added.`);
  };
  const drop = ({ active, over }: DragEndEvent) => {
    if (over) put(chosen.indexOf(String(active.id)), chosen.indexOf(String(over.id)));
  };

  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">
        Monitors{' '}
        <span className="font-normal text-muted tabular-nums">
          {chosen.length} of {monitors.length}
        </span>
      </legend>
      <p role="status" className="sr-only">
        {said}
      </p>
      <DndContext
        id={useId()}
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={drop}
        accessibility={{
          announcements: announce(nameOf, (id) => chosen.indexOf(String(id)) + 1, chosen.length),
          screenReaderInstructions: { draggable: INSTRUCTIONS },
        }}
      >
        <SortableContext items={[...chosen]} strategy={verticalListSortingStrategy}>
          <ol className="rounded-md border border-line-strong bg-surface empty:hidden">
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
          </ol>
        </SortableContext>
      </DndContext>
      <AddMonitors
        monitors={monitors.filter(({ id }) => !chosen.includes(id))}
        isNothingChosen={chosen.length === 0}
        add={add}
      />
      <FieldNotes name="monitors" label="Monitors" error={error} />
    </fieldset>
  );
}
