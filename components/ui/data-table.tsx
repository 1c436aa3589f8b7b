import type { ReactNode } from 'react';
import { cn } from './cn';

/** Below this width, a table becomes a list of cards. It keeps its table semantics. */
const CARDS_BELOW = {
  sm: { block: 'max-sm:block', hidden: 'max-sm:sr-only' },
  md: { block: 'max-md:block', hidden: 'max-md:sr-only' },
  lg: { block: 'max-lg:block', hidden: 'max-lg:sr-only' },
} as const;

type Column = {
  label: string;
  /** Its width and alignment. */
  className?: string;
  /** Whether only screen readers read the label. */
  isHidden?: boolean;
};

type Props = {
  columns: (Column | null)[];
  /** Without it, the table stays one. */
  cardsBelow?: keyof typeof CARDS_BELOW;
  /** Accessible name. */
  label?: string;
  /** Columns are as wide as what they contain, instead of what their classes say. */
  fitsContent?: boolean;
  className?: string;
  /** The rows. */
  children: ReactNode;
};

/** A table in a frame, with its head. */
export function DataTable({ columns, cardsBelow, label, fitsContent = false, className, children }: Props) {
  const layout = fitsContent ? 'table-auto' : 'table-fixed';
  const { block = '', hidden = '' } = cardsBelow ? CARDS_BELOW[cardsBelow] : {};
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table aria-label={label} className={cn('w-full border-collapse', layout, block, className)}>
        <thead className={`border-b border-line ${hidden}`}>
          <tr className="text-left">
            {columns.map((column) =>
              column === null ? null : (
                <th
                  key={column.label}
                  scope="col"
                  className={cn(
                    'px-3 py-2 text-xs font-medium whitespace-nowrap text-muted',
                    column.className,
                  )}
                >
                  {column.isHidden ? <span className="sr-only">{column.label}</span> : column.label}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody className={block}>{children}</tbody>
      </table>
    </div>
  );
}
