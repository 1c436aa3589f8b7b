import Link from 'next/link';
import { Button, buttonLook } from '@/components/ui/button';
import { SelectField } from '@/components/ui/field';
import { formatIncidentLog, type IncidentLogQuery } from '@/lib/schemas/incident-log';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incident-statuses';
import { SEVERITY_WORDS, STATUS_WORDS } from './incident-texts';

type Props = {
  path: string;
  query: IncidentLogQuery;
  monitors: readonly { id: string; name: string }[];
};

const STATUSES = [
  { value: '', label: 'Any status' },
  { value: 'open', label: 'Open' },
  ...INCIDENT_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] })),
];
const SEVERITIES = [
  { value: '', label: 'Any severity' },
  ...INCIDENT_SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value] })),
];
const ORIGINS = [
  { value: '', label: 'By anybody' },
  { value: 'automatic', label: 'By a monitor' },
  { value: 'manual', label: 'By a person' },
];
const FIELD = 'w-40 max-sm:w-[calc(50%-0.375rem)]';

/** Narrows the list; the choice is in the address, and it works without script. */
export function IncidentFilterForm({ path, query, monitors }: Props) {
  const { status = '', severity = '', origin = '', monitor = '' } = query;
  const known = monitors.some(({ id }) => id === monitor) || monitor === '';
  const choices = [
    { value: '', label: 'Any monitor' },
    ...(known ? [] : [{ value: monitor, label: 'A deleted monitor' }]),
    ...monitors.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    // Made anew when the address says something else: what stands in the fields is what is shown below.
    <form
      key={formatIncidentLog({ ...query, after: null })}
      action={path}
      className="flex flex-wrap items-end gap-3"
      aria-label="Narrow the list"
    >
      <SelectField name="status" label="Status" options={STATUSES} defaultValue={status} className={FIELD} />
      <SelectField
        name="severity"
        label="Severity"
        options={SEVERITIES}
        defaultValue={severity}
        className={FIELD}
      />
      <SelectField name="origin" label="Opened" options={ORIGINS} defaultValue={origin} className={FIELD} />
      <SelectField
        name="monitor"
        label="Monitor"
        options={choices}
        defaultValue={monitor}
        className={FIELD}
      />
      <Button type="submit" className="h-9">
        Show
      </Button>
      {isNarrowed(query) ? (
        <Link prefetch={false} href={path} className={buttonLook({ tone: 'bare', size: 'large' })}>
          Show everything
        </Link>
      ) : null}
    </form>
  );
}

/** Whether anything but the whole list is asked for. */
export function isNarrowed({ after: _, ...filter }: IncidentLogQuery): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
