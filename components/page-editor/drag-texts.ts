import type { Announcements, UniqueIdentifier } from '@dnd-kit/core';

/** What a screen reader says of a handle. */
export const INSTRUCTIONS =
  'Press space or enter to pick up the monitor, the arrow keys to move it, space or enter to put it down, escape to leave it where it was.';

/** What a screen reader says while something is dragged. */
export function announce(
  nameOf: (id: UniqueIdentifier) => string,
  placeOf: (id: UniqueIdentifier) => number,
  count: number,
): Announcements {
  const place = (over: { id: UniqueIdentifier } | null) =>
    over === null ? 'outside of the list' : `at ${placeOf(over.id)} of ${count}`;
  return {
    onDragStart: ({ active }) => `Picked up ${nameOf(active.id)}, ${place(active)}.`,
    onDragOver: ({ active, over }) => `${nameOf(active.id)} is ${place(over)}.`,
    onDragEnd: ({ active, over }) => `Put down ${nameOf(active.id)} ${place(over)}.`,
    onDragCancel: ({ active }) => `${nameOf(active.id)} stays where it was.`,
  };
}
