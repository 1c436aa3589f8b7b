import Link from 'next/link';
import { Button, buttonLook } from '@/components/ui/button';
import { SelectField } from '@/components/ui/forms/field';
import { formatIncidentLog, type IncidentLogQuery } from '@/lib/schemas/incidents/incident-log';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import { SEVERITY_LABELS, STATUS_LABELS } from './incident-texts';

const STATUSES = [
  { value: '', label: 'Any status' },
  { value: 'open', label: 'Open' },
  ...INCIDENT_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
];
const SEVERITIES = [
  { value: '', label: 'Any severity' },
  ...INCIDENT_SEVERITIES.map((value) => ({ value, label: SEVERITY_LABELS[value] })),
];
const ORIGINS = [
  { value: '', label: 'Anyone' },
  { value: 'automatic', label: 'A monitor' },
  { value: 'manual', label: 'A person' },
];
const FIELD = 'w-40 max-sm:w-[calc(50%-0.375rem)]';

type Props = {
  path: string;
  query: IncidentLogQuery;
  monitors: readonly { id: string; name: string }[];
};

/** Filters the list through the URL; works without JavaScript. */
export function IncidentFilterForm({ path, query, monitors }: Props) {
  const { status = '', severity = '', origin = '', monitor = '' } = query;
  const isKnown = monitors.some(({ id }) => id === monitor) || monitor === '';
  const choices = [
    { value: '', label: 'Any monitor' },
    ...(isKnown ? [] : [{ value: monitor, label: 'A deleted monitor' }]),
    ...monitors.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    // Remounted when the URL changes, so that the fields match the list.
    <form
      key={formatIncidentLog({ ...query, after: null })}
      action={path}
      className="flex flex-wrap items-end gap-3"
      aria-label="Filter incidents"
    >
      <SelectField name="status" label="Status" options={STATUSES} defaultValue={status} className={FIELD} />
      <SelectField
        name="severity"
        label="Severity"
        options={SEVERITIES}
        defaultValue={severity}
        className={FIELD}
      />
      <SelectField
        name="origin"
        label="Opened by"
        options={ORIGINS}
        defaultValue={origin}
        className={FIELD}
      />
      <SelectField
        name="monitor"
        label="Monitor"
        options={choices}
        defaultValue={monitor}
        className={FIELD}
      />
      <Button type="submit" className="h-9">
        Apply
      </Button>
      {isFiltered(query) ? (
        <Link prefetch={false} href={path} className={buttonLook({ tone: 'bare', size: 'large' })}>
          Clear filters
        </Link>
      ) : null}
    </form>
  );
}

/** Whether any filter is set. */
export function isFiltered({ after: _, ...filter }: IncidentLogQuery): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
