'use client';

import { closestCenter, DndContext, type DragEndEvent, type UniqueIdentifier } from '@dnd-kit/core';
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { type ReactNode, useId } from 'react';
import { announce, INSTRUCTIONS, useOrderSensors } from './order-parts';

type Props = {
  /** The items in their order. */
  keys: readonly string[];
  nameOf: (key: UniqueIdentifier) => string;
  /** Read by screen readers, after a move by a button. */
  announcement: string;
  /** Moves an item to the place of another. */
  drop: (key: string, over: string) => void;
  /** The elements of the items, made with `useOrderItem`. */
  children: ReactNode;
};

/** A list whose items can be dragged by pointer and by keyboard. */
export function OrderedList({ keys, nameOf, announcement, drop, children }: Props) {
  const sensors = useOrderSensors();
  const end = ({ active, over }: DragEndEvent) => {
    if (over) drop(String(active.id), String(over.id));
  };
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <DndContext
        id={useId()}
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={end}
        accessibility={{
          announcements: announce(nameOf, (key) => keys.indexOf(String(key)) + 1, keys.length),
          screenReaderInstructions: { draggable: INSTRUCTIONS },
        }}
      >
        <SortableContext items={[...keys]} strategy={verticalListSortingStrategy}>
          <ol className="rounded-md border border-line-strong bg-surface empty:hidden">{children}</ol>
        </SortableContext>
      </DndContext>
    </>
  );
}
