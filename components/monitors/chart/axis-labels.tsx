import { formatMs } from '../format-numbers';

/** The labels of the ticks of a plot from 0 to `top` milliseconds, in a positioned element as high as the plot. */
export function AxisLabels({ ticks, top }: { ticks: readonly number[]; top: number }) {
  return ticks.map((tick) => (
    <span
      key={tick}
      className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
      style={{ top: `${(1 - tick / top) * 100}%` }}
    >
      {formatMs(tick)}
    </span>
  ));
}
