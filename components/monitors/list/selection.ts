/** Which rows are ticked, and the one from which a range is drawn. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null };

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: null };

/** With `id` ticked where it was not, and not where it was. */
export function toggle({ ids }: Selection, id: string): Selection {
  return { ids: withEach(ids, [id], !ids.has(id)), anchor: id };
}

/**
 * The same with everything from the anchor to `id`, as a list in this `order` shows them: all become what `id` becomes.
 * Without an anchor in the list, `id` alone.
 */
export function toggleTo(selection: Selection, id: string, order: readonly string[]): Selection {
  const { ids, anchor } = selection;
  const from = anchor === null ? -1 : order.indexOf(anchor);
  const to = order.indexOf(id);
  if (from === -1 || to === -1) return toggle(selection, id);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: withEach(ids, range, !ids.has(id)), anchor: id };
}

/** With these ticked, and no others. */
export function selectOnly(ids: readonly string[]): Selection {
  return { ids: new Set(ids), anchor: null };
}

function withEach(ids: ReadonlySet<string>, changed: readonly string[], isTicked: boolean): Set<string> {
  const next = new Set(ids);
  for (const id of changed) {
    if (isTicked) next.add(id);
    else next.delete(id);
  }
  return next;
}
