/** The names of the own regions of an organization, deleted ones included, by ID. */
export type RegionNames = Readonly<Record<string, string>>;

/** A region as screens show it: an own one by its name, a built-in one by its ID. */
export function nameRegion(names: RegionNames, id: string): string {
  return Object.hasOwn(names, id) ? (names[id] ?? id) : id;
}
