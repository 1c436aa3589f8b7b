/** How many filters of a list's query are set. */
export function countFilters({ after: _, ...filter }: { after?: unknown }): number {
  return Object.values(filter).filter((value) => value !== undefined).length;
}
