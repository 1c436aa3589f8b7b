'use client';

import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ChevronDown, ChevronUp, GripVertical, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { FieldNotes } from '@/components/ui/forms/field';
import { AddMonitors, SEARCH_ID } from './add-monitors';
import { type MonitorName, moveId } from './page-values';

type Move = 'up' | 'down';

const BUTTON =
  'flex size-8 shrink-0 items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-40 aria-disabled:hover:bg-transparent';

/** Read by screen readers on drag handles. */
const INSTRUCTIONS =
  'Press Space or Enter to pick up the monitor, the arrow keys to move it, Space or Enter to drop it, or Escape to cancel.';

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
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const [announcement, setAnnouncement] = useState('');
  const refocus = useRef<string | null>(null);

  // Moved and removed elements lose the focus.
  useEffect(() => {
    if (refocus.current === null) return;
    const last = moveButtonId(chosen.at(-1) ?? '', 'remove');
    const wanted = document.getElementById(refocus.current) ?? document.getElementById(last);
    wanted?.focus();
    refocus.current = null;
  });

  const move = (from: number, to: number) => change(moveId(chosen, from, to));
  const step = (id: string, direction: Move) => {
    const from = chosen.indexOf(id);
    const to = from + (direction === 'up' ? -1 : 1);
    if (to < 0 || to >= chosen.length) return;
    refocus.current = moveButtonId(id, direction);
    move(from, to);
    setAnnouncement(`${nameOf(id)} is now in position ${to + 1} of ${chosen.length}.`);
  };
  const remove = (id: string) => {
    const index = chosen.indexOf(id);
    const next = chosen[index + 1] ?? chosen[index - 1];
    refocus.current = next === undefined ? SEARCH_ID : moveButtonId(next, 'remove');
    change(chosen.filter((one) => one !== id));
    setAnnouncement(`Removed ${nameOf(id)}.`);
  };
  const add = (ids: string[], nextFocus: string) => {
    const [first = ''] = ids;
    refocus.current = nextFocus;
    change([...chosen, ...ids]);
    setAnnouncement(ids.length === 1 ? `Added ${nameOf(first)}.` : `Added ${ids.length} monitors.`);
  };
  const drop = ({ active, over }: DragEndEvent) => {
    if (over) move(chosen.indexOf(String(active.id)), chosen.indexOf(String(over.id)));
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
        {announcement}
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
        isPageEmpty={chosen.length === 0}
        add={add}
      />
      <FieldNotes name="monitors" label="Monitors" error={error} />
    </fieldset>
  );
}

/** Screen reader announcements while dragging. */
function announce(
  nameOf: (id: UniqueIdentifier) => string,
  placeOf: (id: UniqueIdentifier) => number,
  count: number,
): Announcements {
  const place = (over: { id: UniqueIdentifier } | null) =>
    over === null ? 'outside the list' : `in position ${placeOf(over.id)} of ${count}`;
  return {
    onDragStart: ({ active }) => `Picked up ${nameOf(active.id)}, ${place(active)}.`,
    onDragOver: ({ active, over }) => `${nameOf(active.id)} is ${place(over)}.`,
    onDragEnd: ({ active, over }) => `Dropped ${nameOf(active.id)} ${place(over)}.`,
    onDragCancel: ({ active }) => `Canceled. ${nameOf(active.id)} was not moved.`,
  };
}

/** ID of a button, to restore the focus after a move. */
function moveButtonId(id: string, button: Move | 'remove'): string {
  return `${button}-${id}`;
}

type MonitorOrderRowProps = {
  id: string;
  name: string;
  isFirst: boolean;
  isLast: boolean;
  step: (id: string, direction: Move) => void;
  remove: (id: string) => void;
};

function MonitorOrderRow({ id, name, isFirst, isLast, step, remove }: MonitorOrderRowProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id, attributes: { roleDescription: 'sortable' } });
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={cn(
        'flex items-center gap-1 border-b border-line bg-surface p-1 first:rounded-t-md last:rounded-b-md last:border-0',
        isDragging && 'relative z-10 rounded-md border-transparent shadow-lg ring-1 ring-line-strong',
      )}
    >
      <input type="hidden" name="monitors" value={id} />
      <button
        type="button"
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        aria-label={`Move ${name}`}
        className={cn(BUTTON, 'touch-none cursor-grab active:cursor-grabbing')}
      >
        <GripVertical className="size-4" aria-hidden="true" />
      </button>
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {(['up', 'down'] as const).map((move) => {
        const Icon = move === 'up' ? ChevronUp : ChevronDown;
        return (
          <button
            key={move}
            type="button"
            id={moveButtonId(id, move)}
            aria-label={`Move ${name} ${move}`}
            // Not `disabled`, which would lose the focus at the end of the list.
            aria-disabled={move === 'up' ? isFirst : isLast}
            onClick={() => step(id, move)}
            className={BUTTON}
          >
            <Icon className="size-4" aria-hidden="true" />
          </button>
        );
      })}
      <button
        type="button"
        id={moveButtonId(id, 'remove')}
        aria-label={`Remove ${name}`}
        onClick={() => remove(id)}
        className={BUTTON}
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </li>
  );
}
