type Named = { id: string; name: string };

/** Options of a filter by name: any, then all. A chosen one that is not among them was deleted. */
export function nameOptions(
  named: readonly Named[],
  chosen: string | undefined,
  { any, deleted }: { any: string; deleted: string },
): { value: string; label: string }[] {
  const isDeleted = chosen !== undefined && !named.some(({ id }) => id === chosen);
  return [
    { value: '', label: any },
    ...(isDeleted ? [{ value: chosen, label: deleted }] : []),
    ...named.map(({ id, name }) => ({ value: id, label: name })),
  ];
}
