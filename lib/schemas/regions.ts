/** The monitoring regions in display order. `number` identifies a region in stored results: never reuse one. */
export const REGIONS = [
  { id: 'us-east', number: 1, name: 'US East', location: 'Virginia, USA' },
  { id: 'eu-west', number: 2, name: 'EU West', location: 'Frankfurt, Germany' },
  { id: 'ap-southeast', number: 3, name: 'AP Southeast', location: 'Singapore' },
] as const;
export type RegionId = (typeof REGIONS)[number]['id'];

export const REGION_IDS: readonly RegionId[] = REGIONS.map((region) => region.id);

/** Whether a text is a region ID. */
export function isRegionId(text: string): text is RegionId {
  return REGIONS.some((region) => region.id === text);
}

/** The region with a number in stored results; null if it no longer exists. */
export function regionOf(number: number | null): RegionId | null {
  return REGIONS.find((region) => region.number === number)?.id ?? null;
}

/** The number of a region in stored results. */
export function regionNumber(id: RegionId): number {
  return REGIONS.findIndex((region) => region.id === id) + 1;
}
