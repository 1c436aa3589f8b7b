import { formatMs } from '../format-numbers';
import type { ChartLine } from './chart-data';
import { lineStyle } from './chart-texts';

type Props = {
  lines: ChartLine[];
  hidden: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** The bucket being read; null for the whole window. */
  index: number | null;
};

/** Line names and values. Each line can be hidden, which rescales the rest. */
export function ChartLegend({ lines, hidden, toggle, index }: Props) {
  return (
    <ul aria-label="Chart lines" className="flex flex-wrap gap-x-1 gap-y-1">
      {lines.map((line, nth) => {
        const { stroke, dash, width } = lineStyle(nth);
        const isShown = !hidden.has(line.key);
        return (
          <li key={line.key}>
            <button
              type="button"
              aria-pressed={isShown}
              onClick={() => toggle(line.key)}
              className="flex h-7 items-center gap-2 rounded-md px-2 text-sm hover:bg-sunken aria-[pressed=false]:text-muted aria-[pressed=false]:line-through"
            >
              <svg viewBox="0 0 20 4" className="h-1 w-5" aria-hidden="true">
                <path
                  d="M1 2H19"
                  className={stroke}
                  strokeWidth={width}
                  strokeDasharray={dash}
                  strokeLinecap="round"
                />
              </svg>
              <span className={line.label.includes('-') ? 'font-mono text-xs' : ''}>{line.label}</span>
              <span className="min-w-14 text-right font-medium tabular-nums">
                {formatMs(index === null ? line.total : (line.values[index] ?? null))}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
