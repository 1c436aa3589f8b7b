/** `99.98%`: with this many decimals, except for `100%`; a dash if unknown. */
export function formatPercent(percent: number | null, decimals = 2): string {
  if (percent === null) return '–';
  return percent === 100 ? '100%' : `${percent.toFixed(decimals)}%`;
}
