import type { ReactNode } from 'react';
import { DataTable } from '@/components/ui/data-table';
import { Moment } from '@/components/ui/time/moment';
import { formatTiming } from '@/lib/core/time/duration';
import type { Probe } from '@/lib/schemas/probes/probe';
import { ProbeState } from './region-state';
import { formatRate, isOlder } from './region-texts';

const COLUMNS = [
  { label: 'Probe' },
  { label: 'State', className: 'w-24' },
  { label: 'Last seen', className: 'w-40' },
  { label: 'Version', className: 'w-28' },
  { label: 'Address', className: 'w-40' },
  { label: 'Checks/s', className: 'w-20 text-right' },
  { label: 'Lateness', className: 'w-20 text-right' },
  { label: 'Backlog', className: 'w-20 text-right' },
];
const CELL = 'px-3 py-2 align-top max-lg:flex max-lg:gap-3 max-lg:p-0';
const NUMBER = `${CELL} tabular-nums lg:text-right`;

type Props = { label: string; probes: readonly Probe[]; serviceVersion: string; now: string };

/** The probes of an own region and how they do. Lateness is that of 99 % of the checks of the last minute. */
export function ProbeTable({ label, probes, serviceVersion, now }: Props) {
  return (
    <DataTable cardsBelow="lg" columns={COLUMNS} label={label} className="text-sm">
      {probes.map((probe) => (
        <tr
          key={probe.id}
          className="border-b border-line last:border-0 max-lg:flex max-lg:flex-col max-lg:gap-1 max-lg:px-3 max-lg:py-2.5"
        >
          <td className="min-w-0 px-3 py-2 align-top max-lg:p-0">
            <span className="block truncate font-medium" title={probe.host}>
              {probe.host}
            </span>
            <span className="block truncate text-xs text-muted" title={probe.token.name}>
              {probe.token.name}
            </span>
          </td>
          <Cell label="State">
            <ProbeState isLive={probe.isLive} />
          </Cell>
          <Cell label="Last seen">
            <Moment at={probe.lastSeenAt} now={now} />
          </Cell>
          <Cell label="Version">
            {probe.version ?? 'unknown'}
            {probe.version === null || isOlder(probe.version, serviceVersion) ? (
              <span className="text-xs text-slow lg:block"> update to {serviceVersion}</span>
            ) : null}
          </Cell>
          <Cell label="Address">
            <span className="font-mono text-xs leading-5 break-all">{probe.address ?? 'unknown'}</span>
          </Cell>
          <Cell label="Checks/s" className={NUMBER}>
            {probe.checksPerSecond === null ? '–' : formatRate(probe.checksPerSecond)}
          </Cell>
          <Cell label="Lateness" className={NUMBER}>
            {probe.lateness === null ? '–' : formatTiming(probe.lateness)}
          </Cell>
          <Cell label="Backlog" className={NUMBER}>
            {probe.backlog === null ? '–' : probe.backlog.toLocaleString('en-US')}
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}

/** A cell, which shows its label where the head of the table is hidden. */
function Cell({
  label,
  className = CELL,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <td className={className}>
      <span aria-hidden="true" className="w-20 shrink-0 text-muted lg:hidden">
        {label}
      </span>
      <span>{children}</span>
    </td>
  );
}
