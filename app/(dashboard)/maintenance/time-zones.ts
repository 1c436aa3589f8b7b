/** Every zone that the form offers, UTC first; one that a window has already is among them. */
export function listTimeZones(own?: string): string[] {
  const known = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC');
  const all = ['UTC', ...known];
  return own === undefined || all.includes(own) ? all : [own, ...all];
}
