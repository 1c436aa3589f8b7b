/** The built-in monitoring regions in display order. `number` identifies a region in stored results: never reuse one. */
export const BUILT_IN_REGIONS = [
  { id: 'us-east', number: 1, name: 'US East', location: 'Virginia, USA' },
  { id: 'eu-west', number: 2, name: 'EU West', location: 'Frankfurt, Germany' },
  { id: 'ap-southeast', number: 3, name: 'AP Southeast', location: 'Singapore' },
] as const;
export type BuiltInRegionId = (typeof BUILT_IN_REGIONS)[number]['id'];

/** An own region of an organization. Its number is part of its ID, so that reading results needs no table. */
export type OwnRegionId = `loc_${number}`;
export type RegionId = BuiltInRegionId | OwnRegionId;

export const BUILT_IN_REGION_IDS: readonly BuiltInRegionId[] = BUILT_IN_REGIONS.map((region) => region.id);

/** The numbers of own regions, both included: they fit in a `smallint`. */
const FIRST_OWN_NUMBER = 101;
export const LAST_OWN_NUMBER = 32_767;
const OWN_FORM = 'loc_[1-9][0-9]{2,4}';
/** The form of every region ID, as a regular expression. */
export const REGION_FORM = `^(${BUILT_IN_REGION_IDS.join('|')}|${OWN_FORM})$`;
const OWN_ID = new RegExp(`^${OWN_FORM}$`);

/** Whether a text is the ID of a built-in region. */
export function isBuiltInRegionId(text: string): text is BuiltInRegionId {
  return BUILT_IN_REGIONS.some((region) => region.id === text);
}

/** Whether a text has the form of the ID of an own region, which may not exist, or belong to another organization. */
export function isOwnRegionId(text: string): text is OwnRegionId {
  return OWN_ID.test(text) && isOwnNumber(Number(text.slice(4)));
}

/** Whether a text has the form of a region ID. Whether it exists is checked where monitors are written. */
export function isRegionId(text: string): text is RegionId {
  return isBuiltInRegionId(text) || isOwnRegionId(text);
}

function isOwnNumber(number: number): boolean {
  return number >= FIRST_OWN_NUMBER && number <= LAST_OWN_NUMBER;
}

/** The ID of the own region with a number. */
export function ownRegionId(number: number): OwnRegionId {
  return `loc_${number}`;
}

/** The region with a number in stored results; null if it is the number of none. */
export function regionOf(number: number | null): RegionId | null {
  if (number !== null && isOwnNumber(number)) return ownRegionId(number);
  return BUILT_IN_REGIONS.find((region) => region.number === number)?.id ?? null;
}

/** The number of a region in stored results. */
export function regionNumber(id: RegionId): number {
  if (isBuiltInRegionId(id)) return BUILT_IN_REGIONS.findIndex((region) => region.id === id) + 1;
  return Number(id.slice(4));
}

/** Compares regions in the order in which they are shown: built-in ones first, then own ones by age. */
export function compareRegions(a: RegionId, b: RegionId): number {
  return regionNumber(a) - regionNumber(b);
}

/** What a text that is no region ID, or that of a region of nobody or somebody else, is rejected with. */
export const UNKNOWN_REGION = `unknown region; known are ${BUILT_IN_REGION_IDS.join(', ')} and the own regions of the organization`;
