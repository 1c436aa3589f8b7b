import { setImmediate } from 'node:timers/promises';

/** How long one request works before others get their turn, in milliseconds. */
const TURN_MS = 10;

/**
 * Maps items in order like `map`. Other work of the process gets its turn whenever 10 ms have passed, so hundreds of items delay nobody. Rejects
 * with what `map` throws, without mapping the items after it. `now` is in milliseconds.
 */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item, index: number) => Mapped,
  now: () => number = () => performance.now(),
): Promise<Mapped[]> {
  const mapped: Mapped[] = [];
  let begun = now();
  for (const [index, item] of items.entries()) {
    if (now() - begun >= TURN_MS) {
      await setImmediate();
      begun = now();
    }
    mapped.push(map(item, index));
  }
  return mapped;
}
