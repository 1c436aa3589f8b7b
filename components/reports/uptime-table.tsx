import type { ReactNode } from 'react';
import { formatMs } from '@/components/monitors/format-numbers';
import { cn } from '@/components/ui/cn';
import { DataTable } from '@/components/ui/data-table';
import { RowLink } from '@/components/ui/section';
import type { ReportGroup, ReportLine } from '@/lib/schemas/reports/report';
import { formatBudget, formatLength, formatUptime, isMissed } from '@/lib/schemas/reports/report-texts';

/** What a cell shows, as of which width. */
type Cell = { label: string; text: string; width: string; isWide?: boolean; tone?: string };

/** One line per monitor, each with a link to it. */
export function MonitorTable({ lines }: { lines: readonly ReportLine[] }) {
  const rows = cellsOf(lines, monitorCells);
  return (
    <UptimeTable label="Monitors" first="Monitor" cells={rows[0]?.cells ?? []}>
      {rows.map(({ line, cells }) => (
        <UptimeRow key={line.monitorId} cells={cells}>
          <RowLink href={`/monitors/${line.monitorId}`}>{line.name}</RowLink>
        </UptimeRow>
      ))}
    </UptimeTable>
  );
}

/** One line per tag or section, with the sum of its monitors. */
export function GroupTable({
  label,
  first,
  lines,
}: {
  label: string;
  first: string;
  lines: readonly ReportGroup[];
}) {
  const rows = cellsOf(lines, groupCells);
  return (
    <UptimeTable label={label} first={first} cells={rows[0]?.cells ?? []}>
      {rows.map(({ line, cells }) => (
        <UptimeRow key={line.name} cells={cells}>
          {line.name}
        </UptimeRow>
      ))}
    </UptimeTable>
  );
}

/** Lines with their cells. If some were corrected, all have a cell for what was measured. */
function cellsOf<Line extends ReportLine | ReportGroup>(
  lines: readonly Line[],
  toCells: (line: Line, hasMeasured: boolean) => Cell[],
): { line: Line; cells: Cell[] }[] {
  const hasMeasured = lines.some(({ measured }) => measured !== null);
  return lines.map((line) => ({ line, cells: toCells(line, hasMeasured) }));
}

function monitorCells(line: ReportLine, hasMeasured: boolean): Cell[] {
  const { p50, p95, p99 } = line.responseTime;
  return [
    ...uptimeCells(line, hasMeasured),
    { label: 'p50', text: formatMs(p50), width: 'w-20', isWide: true },
    { label: 'p95', text: formatMs(p95), width: 'w-20' },
    { label: 'p99', text: formatMs(p99), width: 'w-20', isWide: true },
  ];
}

function groupCells(line: ReportGroup, hasMeasured: boolean): Cell[] {
  return [
    ...uptimeCells(line, hasMeasured),
    { label: 'Monitors', text: String(line.monitors), width: 'w-20' },
  ];
}

function uptimeCells(line: ReportLine | ReportGroup, hasMeasured: boolean): Cell[] {
  const measured = line.measured === null ? '–' : formatUptime(line.measured.uptimePercentage);
  const tone = isMissed(line) ? 'text-bad' : '';
  const budget = line.knownMs === 0 ? '–' : formatBudget(line.budgetLeftMs);
  const outages = line.outages === 0 ? '–' : line.outages.toLocaleString('en');
  return [
    { label: 'Uptime', text: formatUptime(line.uptimePercentage), width: 'w-24', tone },
    ...(hasMeasured ? [{ label: 'Measured', text: measured, width: 'w-24', tone: 'text-muted' }] : []),
    { label: 'Error budget', text: budget, width: 'w-32', tone: tone || 'text-muted' },
    { label: 'Downtime', text: formatLength(line.downMs), width: 'w-24' },
    { label: 'Outages', text: outages, width: 'w-20' },
    { label: 'Longest', text: formatLength(line.longestOutageMs), width: 'w-24', isWide: true },
    { label: 'Degraded', text: formatLength(line.degradedMs), width: 'w-24', isWide: true },
  ];
}

type TableProps = { label: string; first: string; cells: readonly Cell[]; children: ReactNode };

function UptimeTable({ label, first, cells, children }: TableProps) {
  const columns = cells.map(({ label: name, width, isWide }) => ({
    label: name,
    className: cn(width, 'text-right', isWide && 'max-lg:hidden'),
  }));
  return (
    <DataTable label={label} columns={[{ label: first }, ...columns]} cardsBelow="md">
      {children}
    </DataTable>
  );
}

function UptimeRow({ cells, children }: { cells: readonly Cell[]; children: ReactNode }) {
  return (
    <tr className="relative break-inside-avoid border-b border-line last:border-0 hover:bg-sunken has-focus-visible:bg-sunken max-md:grid max-md:grid-cols-2 max-md:gap-x-6 max-md:gap-y-1 max-md:px-3 max-md:py-2.5">
      <th scope="row" className="truncate px-3 py-2 text-left font-medium max-md:col-span-2 max-md:p-0">
        {children}
      </th>
      {cells.map(({ label, text, isWide, tone }) => (
        <td
          key={label}
          className={cn(
            'px-3 py-2 text-right whitespace-nowrap tabular-nums max-md:p-0',
            isWide ? 'max-lg:hidden' : 'max-md:flex max-md:justify-between max-md:gap-2',
            tone,
          )}
        >
          {isWide ? null : <span className="text-xs text-muted md:hidden">{label}</span>}
          {text}
        </td>
      ))}
    </tr>
  );
}
