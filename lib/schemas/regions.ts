/** The monitoring regions, in the order they are shown. `number` is how a stored result names its region: never reuse one. */
export const REGIONS = [
  { id: 'us-east', number: 1, location: 'Virginia, USA' },
  { id: 'eu-west', number: 2, location: 'Frankfurt, Germany' },
  { id: 'ap-southeast', number: 3, location: 'Singapore' },
] as const;

export type RegionId = (typeof REGIONS)[number]['id'];

export const REGION_IDS: readonly RegionId[] = REGIONS.map((region) => region.id);

/** Whether a text names a region of the service. */
export function isRegionId(text: string): text is RegionId {
  return REGIONS.some((region) => region.id === text);
}

/** The number under which results of a region are stored. */
export function regionNumber(id: RegionId): number {
  return REGIONS.findIndex((region) => region.id === id) + 1;
}
