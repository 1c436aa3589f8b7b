import { ArrowDown, ArrowUp } from 'lucide-react';
import { cn } from '@/components/ui/cn';
import { HEAD_CELL } from './columns';
import type { Sort, SortKey } from './list-query';

type Props = {
  label: string;
  sortKey: SortKey;
  sort: Sort;
  onSort: (key: SortKey) => void;
  className?: string;
};

/** The head of a column that the list can be sorted by. */
export function ColumnHead({ label, sortKey, sort, onSort, className }: Props) {
  const isSorted = sort.key === sortKey;
  const Arrow = sort.isDescending ? ArrowDown : ArrowUp;
  const direction = sort.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={isSorted ? direction : undefined} className={cn(HEAD_CELL, 'p-0', className)}>
      <span className="lg:hidden">{label}</span>
      <button
        type="button"
        onClick={() => onSort(sortKey)}
        className={cn(
          'inline-flex max-lg:hidden h-8 items-center gap-1 rounded px-3 -outline-offset-2 hover:text-ink',
          isSorted && 'text-ink',
        )}
      >
        {label}
        {isSorted ? <Arrow className="size-3" aria-hidden="true" /> : null}
      </button>
    </th>
  );
}
