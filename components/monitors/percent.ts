/** A percentage of uptime, always with two decimals but for the full hundred. */
export function formatPercent(percent: number): string {
  return percent === 100 ? '100%' : `${percent.toFixed(2)}%`;
}
