/** How regions are shown, by ID: the organization's own ones, deleted ones included, and the built-in ones while they are one place. */
export type RegionNames = Readonly<Record<string, string>>;

/** All built-in regions, while one machine probes for all of them: the one of this service, or another. */
export const THIS_MACHINE = 'This machine';
export const ONE_LOCATION = 'One location';

/** A region as screens show it: by its name, and a built-in one by its ID as soon as there are several places. */
export function nameRegion(names: RegionNames, id: string): string {
  return Object.hasOwn(names, id) ? (names[id] ?? id) : id;
}

/** The same within a sentence: `this machine`. */
export function nameRegionWithin(names: RegionNames, id: string): string {
  const name = nameRegion(names, id);
  return isOnePlace(name) ? name.slice(0, 1).toLowerCase() + name.slice(1) : name;
}

/** The names of regions, each once: regions of one machine are one place. */
export function nameRegions(names: RegionNames, ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => nameRegion(names, id)))];
}

/** Whether a name stands for all built-in regions. */
export function isOnePlace(name: string): boolean {
  return name === THIS_MACHINE || name === ONE_LOCATION;
}
