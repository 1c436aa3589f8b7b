import { ConfirmButton } from '@/components/ui/confirm-button';
import { DataTable } from '@/components/ui/data-table';
import { EmptyNote } from '@/components/ui/section';
import { TextLink } from '@/components/ui/text-link';
import { Moment } from '@/components/ui/time/moment';
import { formatElapsed, formatExact } from '@/lib/core/time/duration';
import type { Correction } from '@/lib/schemas/monitor/correction';
import { CORRECTION_DELETION } from './consequences';
import { STATE_LABELS } from './correction-texts';

type Props = {
  corrections: readonly Correction[];
  /** Deletes a correction; null for those who may not. */
  remove: ((id: string) => () => Promise<string | null>) | null;
  now: Date;
};

/** The corrections of a monitor, newest first. */
export function CorrectionList({ corrections, remove, now }: Props) {
  if (corrections.length === 0) {
    return <EmptyNote>No corrections. All figures are as measured.</EmptyNote>;
  }
  const columns = [
    { label: 'From', className: 'w-52' },
    { label: 'Lasts', className: 'w-24' },
    { label: 'Counts as', className: 'w-32' },
    { label: 'Reason' },
    { label: 'Delete', className: 'w-28', isHidden: true },
  ];
  return (
    <DataTable label="Corrections" columns={columns} cardsBelow="md">
      {corrections.map(({ id, from, to, state, reason, author, maintenanceId }) => (
        <tr
          key={id}
          className="border-b border-line align-top last:border-0 max-md:grid max-md:gap-1 max-md:px-3 max-md:py-2.5 md:[&>td]:px-3 md:[&>td]:py-2"
        >
          <td className="tabular-nums">
            {formatExact(new Date(from))}
            <span className="block text-xs text-muted">
              <Moment at={from} now={now.toISOString()} />
            </span>
          </td>
          <td className="tabular-nums">{formatElapsed(Date.parse(to) - Date.parse(from))}</td>
          <td>{STATE_LABELS[state]}</td>
          <td className="min-w-0 wrap-anywhere">
            {reason}
            <span className="block text-xs text-muted">{author}</span>
          </td>
          <td className="md:text-right">
            {remove === null ? null : maintenanceId === null ? (
              <ConfirmButton
                tone="quiet"
                label={`Delete the correction “${reason}”`}
                title="Delete this correction?"
                description={CORRECTION_DELETION}
                confirm="Delete correction"
                action={remove(id)}
              >
                Delete
              </ConfirmButton>
            ) : (
              <TextLink isAlone href={`/maintenance/${maintenanceId}`}>
                Maintenance
              </TextLink>
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
