import type { ChartLine } from './chart-data';
import { formatMs } from './chart-texts';
import { lineLook } from './line-looks';

type Props = {
  lines: ChartLine[];
  hidden: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** The bucket that is read; null: the values of all together. */
  index: number | null;
};

/** The lines by name with what they say of the time that is read; each can be put away, which rescales the rest. */
export function Legend({ lines, hidden, toggle, index }: Props) {
  return (
    <ul aria-label="Lines" className="flex flex-wrap gap-x-1 gap-y-1">
      {lines.map((line, place) => {
        const { stroke, dash, width } = lineLook(place);
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
