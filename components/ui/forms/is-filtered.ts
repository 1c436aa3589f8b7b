/** Whether any filter of a list's query is set. */
export function isFiltered({ after: _, ...filter }: { after?: unknown }): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
