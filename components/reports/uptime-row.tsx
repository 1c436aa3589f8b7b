import { cn } from '@/components/ui/cn';
import { RowLink } from '@/components/ui/section';

/** A column after the name, the width from which it is shown, and its tone: that of rows that miss their target, or always muted. */
export type UptimeColumn = {
  label: string;
  width: string;
  isWide?: boolean;
  tone?: 'missed' | 'missed or muted' | 'muted';
};

/** A monitor, which has a page, or a group; `texts` are in the order of the columns. */
export type UptimeRowData = {
  key: string;
  name: string;
  href: string | null;
  texts: string[];
  isMissed: boolean;
};

/** One row of a table of monitors, sections or tags. */
export function UptimeRow({ row, columns }: { row: UptimeRowData; columns: readonly UptimeColumn[] }) {
  const { name, href, texts, isMissed } = row;
  return (
    <tr className="relative break-inside-avoid border-b border-line last:border-0 hover:bg-sunken has-focus-visible:bg-sunken max-md:grid max-md:grid-cols-2 max-md:gap-x-6 max-md:gap-y-1 max-md:px-3 max-md:py-2.5">
      <th scope="row" className="truncate px-3 py-2 text-left font-medium max-md:col-span-2 max-md:p-0">
        {href === null ? name : <RowLink href={href}>{name}</RowLink>}
      </th>
      {columns.map((column, index) => (
        <td key={column.label} className={cellClass(column, isMissed)}>
          {column.isWide ? null : <span className="text-xs text-muted md:hidden">{column.label}</span>}
          {texts[index]}
        </td>
      ))}
    </tr>
  );
}

function cellClass({ isWide, tone }: UptimeColumn, isMissed: boolean): string {
  const missed = isMissed && (tone === 'missed' || tone === 'missed or muted');
  return cn(
    'px-3 py-2 text-right whitespace-nowrap tabular-nums max-md:p-0',
    isWide ? 'max-lg:hidden' : 'max-md:flex max-md:justify-between max-md:gap-2',
    missed ? 'text-bad' : tone !== undefined && tone !== 'missed' && 'text-muted',
  );
}
