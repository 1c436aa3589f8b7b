/** IANA time zones to choose from, UTC first, always including the one that is chosen. */
export function listTimeZones(own?: string): string[] {
  const known = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC');
  const all = ['UTC', ...known];
  return own === undefined || all.includes(own) ? all : [own, ...all];
}
