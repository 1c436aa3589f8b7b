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

/** The times below a plot, each at its share of the width, and the one at its right end. */
export function TimeAxis({
  ticks,
  end,
}: {
  ticks: readonly { share: number; label: string }[];
  end: string;
}) {
  return (
    <div className="relative col-start-2 mt-1 h-4 text-xs text-muted tabular-nums" aria-hidden="true">
      {ticks.map(({ share, label }) => (
        <span key={share} className="absolute whitespace-nowrap" style={{ left: `${share * 100}%` }}>
          {label}
        </span>
      ))}
      <span className="absolute right-0">{end}</span>
    </div>
  );
}
