import { SelectField } from '@/components/ui/forms/field';
import { FilterForm } from '@/components/ui/forms/filter-form';
import { nameOptions } from '@/components/ui/forms/name-options';
import type { IncidentLogQuery } from '@/lib/schemas/incidents/incident-log';
import { SEVERITY_OPTIONS, STATUS_OPTIONS } from './incident-texts';

const STATUSES = [{ value: '', label: 'Any status' }, { value: 'open', label: 'Open' }, ...STATUS_OPTIONS];
const SEVERITIES = [{ value: '', label: 'Any severity' }, ...SEVERITY_OPTIONS];
const ORIGINS = [
  { value: '', label: 'Anyone' },
  { value: 'automatic', label: 'A monitor' },
  { value: 'manual', label: 'A person' },
];
type Props = {
  path: string;
  query: IncidentLogQuery;
  monitors: readonly { id: string; name: string }[];
};

/** Filters the list through the URL. */
export function IncidentFilterForm({ path, query, monitors }: Props) {
  const { status = '', severity = '', origin = '', monitor } = query;
  const choices = nameOptions(monitors, monitor, { any: 'Any monitor', deleted: 'A deleted monitor' });
  const fields = [
    { name: 'status', label: 'Status', options: STATUSES, defaultValue: status },
    { name: 'severity', label: 'Severity', options: SEVERITIES, defaultValue: severity },
    { name: 'origin', label: 'Opened by', options: ORIGINS, defaultValue: origin },
    { name: 'monitor', label: 'Monitor', options: choices, defaultValue: monitor ?? '' },
  ];
  return (
    <FilterForm path={path} label="Filter incidents" query={query}>
      {fields.map((field) => (
        <SelectField key={field.name} {...field} className="sm:w-40" />
      ))}
    </FilterForm>
  );
}
