'use client';

import {
  type Announcements,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { sortableKeyboardCoordinates, useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ChevronDown, ChevronUp, GripVertical, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { cn } from '@/components/ui/cn';

export type Move = 'up' | 'down';

export const ICON_BUTTON =
  'flex size-8 shrink-0 items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-40 aria-disabled:hover:bg-transparent';

/** Read by screen readers on drag handles. */
export const INSTRUCTIONS =
  'Press Space or Enter to pick up the item, the arrow keys to move it, Space or Enter to drop it, or Escape to cancel.';

/** ID of a button, to restore the focus after a move. */
export function buttonId(key: string, button: Move | 'remove'): string {
  return `${button}-${key}`;
}

/** Dragging by pointer and by keyboard. */
export function useOrderSensors() {
  return useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
}

/** Sets the ID of the element that is focused after the next render, or else `fallback`: moved elements lose the focus. */
export function useRefocus(fallback: string) {
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    (document.getElementById(wanted.current) ?? document.getElementById(fallback))?.focus();
    wanted.current = null;
  });
  return (id: string) => {
    wanted.current = id;
  };
}

/** Screen reader announcements while dragging. */
export function announce(
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

/** What a sortable list item needs, and the look of one that is dragged. */
export function useOrderItem(id: string) {
  const sortable = useSortable({ id, attributes: { roleDescription: 'sortable' } });
  const { setNodeRef, transform, transition, isDragging } = sortable;
  return {
    handle: sortable,
    item: { ref: setNodeRef, style: { transform: CSS.Translate.toString(transform), transition } },
    dragged: isDragging && 'relative z-10 rounded-md border-transparent shadow-lg ring-1 ring-line-strong',
  };
}

type HandleProps = { name: string; handle: ReturnType<typeof useOrderItem>['handle'] };

export function DragHandle({ name, handle: { attributes, listeners, setActivatorNodeRef } }: HandleProps) {
  return (
    <button
      type="button"
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      aria-label={`Move ${name}`}
      className={cn(ICON_BUTTON, 'touch-none cursor-grab active:cursor-grabbing')}
    >
      <GripVertical className="size-4" aria-hidden="true" />
    </button>
  );
}

type ButtonsProps = {
  id: string;
  name: string;
  isFirst: boolean;
  isLast: boolean;
  step: (id: string, direction: Move) => void;
  remove: (id: string) => void;
};

/** The buttons that move an item up and down, and remove it. */
export function OrderButtons({ id, name, isFirst, isLast, step, remove }: ButtonsProps) {
  return (
    <>
      {(['up', 'down'] as const).map((move) => {
        const Icon = move === 'up' ? ChevronUp : ChevronDown;
        return (
          <button
            key={move}
            type="button"
            id={buttonId(id, move)}
            aria-label={`Move ${name} ${move}`}
            // Not `disabled`, which would lose the focus at the end of the list.
            aria-disabled={move === 'up' ? isFirst : isLast}
            onClick={() => step(id, move)}
            className={ICON_BUTTON}
          >
            <Icon className="size-4" aria-hidden="true" />
          </button>
        );
      })}
      <button
        type="button"
        id={buttonId(id, 'remove')}
        aria-label={`Remove ${name}`}
        onClick={() => remove(id)}
        className={ICON_BUTTON}
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </>
  );
}
