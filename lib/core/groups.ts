/** The items by key, each group in order: `Map.groupBy`, which Node.js 20 lacks. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Stays below the limit of a request body. */
const MAX_BATCH_BYTES = 512 * 1024;

/** The items in groups of at most `max`, whose bodies as JSON fit into one request together. */
export function* inBatches<Item>(
  items: Iterable<Item>,
  max: number,
  bodyOf: (item: Item) => unknown,
): Generator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = new TextEncoder().encode(JSON.stringify(bodyOf(item))).length;
    if (batch.length > 0 && (batch.length === max || bytes + size > MAX_BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
