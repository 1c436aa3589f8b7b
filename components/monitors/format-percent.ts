/** `99.98%`: two decimals, except for `100%`. */
export function formatPercent(percent: number): string {
  return percent === 100 ? '100%' : `${percent.toFixed(2)}%`;
}
