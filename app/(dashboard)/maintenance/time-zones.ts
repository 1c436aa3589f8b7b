/** Time zones of the form, UTC first, always including the window's own. */
export function listTimeZones(own?: string): string[] {
  const known = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC');
  const all = ['UTC', ...known];
  return own === undefined || all.includes(own) ? all : [own, ...all];
}
