import { formatMs } from '@/components/monitors/format-numbers';
import { cn } from '@/components/ui/cn';
import { DataTable } from '@/components/ui/data-table';
import type { ReportGroup, ReportLine } from '@/lib/schemas/reports/report';
import { formatBudget, formatLength, formatUptime, isMissed } from '@/lib/schemas/reports/report-texts';
import { LaterUptimeRows } from './later-rows';
import { splitRows } from './split-rows';
import { type UptimeColumn, UptimeRow, type UptimeRowData } from './uptime-row';

type Column<Line> = UptimeColumn & { textOf(line: Line): string };

/** One line per monitor, each with a link to it. */
export function MonitorTable({ lines }: { lines: readonly ReportLine[] }) {
  const columns: Column<ReportLine>[] = [
    ...uptimeColumns(lines),
    { label: 'p50', width: 'w-20', isWide: true, textOf: ({ responseTime: { p50 } }) => formatMs(p50) },
    { label: 'p95', width: 'w-20', textOf: ({ responseTime: { p95 } }) => formatMs(p95) },
    { label: 'p99', width: 'w-20', isWide: true, textOf: ({ responseTime: { p99 } }) => formatMs(p99) },
  ];
  const rows = lines.map((line) => {
    const { monitorId, name } = line;
    return { key: monitorId, name, href: `/monitors/${monitorId}`, ...textsOf(line, columns) };
  });
  return <UptimeTable label="Monitors" first="Monitor" columns={columns} rows={rows} />;
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
  const columns: Column<ReportGroup>[] = [
    ...uptimeColumns(lines),
    { label: 'Monitors', width: 'w-20', textOf: ({ monitors }) => String(monitors) },
  ];
  const rows = lines.map((line) => {
    return { key: line.name, name: line.name, href: null, ...textsOf(line, columns) };
  });
  return <UptimeTable label={label} first={first} columns={columns} rows={rows} />;
}

function textsOf<Line extends ReportLine | ReportGroup>(line: Line, columns: readonly Column<Line>[]) {
  return { texts: columns.map(({ textOf }) => textOf(line)), isMissed: isMissed(line) === true };
}

/** If some lines were corrected, all have a column for what was measured. */
function uptimeColumns(lines: readonly (ReportLine | ReportGroup)[]): Column<ReportLine | ReportGroup>[] {
  const measured: Column<ReportLine | ReportGroup> = {
    label: 'Measured',
    width: 'w-24',
    tone: 'muted',
    textOf: (line) => (line.measured === null ? '–' : formatUptime(line.measured.uptimePercentage)),
  };
  return [
    { label: 'Uptime', width: 'w-24', tone: 'missed', textOf: (line) => formatUptime(line.uptimePercentage) },
    ...(lines.some((line) => line.measured !== null) ? [measured] : []),
    {
      label: 'Error budget',
      width: 'w-32',
      tone: 'missed or muted',
      textOf: ({ knownMs, budgetLeftMs }) => (knownMs === 0 ? '–' : formatBudget(budgetLeftMs)),
    },
    { label: 'Downtime', width: 'w-24', textOf: ({ downMs }) => formatLength(downMs) },
    {
      label: 'Outages',
      width: 'w-20',
      textOf: ({ outages }) => (outages === 0 ? '–' : outages.toLocaleString('en')),
    },
    {
      label: 'Longest',
      width: 'w-24',
      isWide: true,
      textOf: ({ longestOutageMs }) => formatLength(longestOutageMs),
    },
    { label: 'Degraded', width: 'w-24', isWide: true, textOf: ({ degradedMs }) => formatLength(degradedMs) },
  ];
}

type TableProps = {
  label: string;
  first: string;
  columns: readonly UptimeColumn[];
  rows: readonly UptimeRowData[];
};

function UptimeTable({ label, first: firstLabel, columns, rows }: TableProps) {
  const shown = columns.map(({ label: name, width, isWide, tone }) => ({ label: name, width, isWide, tone }));
  const heads = shown.map(({ label: name, width, isWide }) => ({
    label: name,
    className: cn(width, 'text-right', isWide && 'max-lg:hidden'),
  }));
  const { first, later } = splitRows(rows);
  return (
    <DataTable label={label} columns={[{ label: firstLabel }, ...heads]} cardsBelow="md">
      {first.map((row) => (
        <UptimeRow key={row.key} row={row} columns={shown} />
      ))}
      {later === null ? null : <LaterUptimeRows packed={later} columns={shown} />}
    </DataTable>
  );
}
