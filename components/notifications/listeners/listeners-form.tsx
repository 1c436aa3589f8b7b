import { SelectField, TextField } from '@/components/ui/forms/field';
import { FilterForm } from '@/components/ui/forms/filter-form';
import { EVENT_KINDS } from '@/lib/schemas/webhooks/event-kinds';
import type { ListenersView } from '@/lib/schemas/webhooks/listeners';
import { SEVERITY_OPTIONS } from '../rules/rule-texts';

type Props = {
  path: string;
  query: ListenersView;
  monitors: readonly { id: string; name: string }[];
  timeZones: readonly string[];
};

const EVENTS = [
  { value: '', label: 'An outage' },
  ...EVENT_KINDS.map((kind) => ({ value: kind, label: kind })),
];
const SEVERITIES = [{ value: '', label: 'Usual severity' }, ...SEVERITY_OPTIONS];

/** What might happen to which monitor, and when. By default to the first monitor, and in UTC. */
export function ListenersForm({ path, query: { monitor, timeZone, ...rest }, monitors, timeZones }: Props) {
  const { event, severity, at } = rest;
  const defaults = { monitor: monitors[0]?.id, timeZone: 'UTC' };
  // The default is the option without a value: it is no filter.
  const query = {
    ...rest,
    ...(monitor === defaults.monitor ? {} : { monitor }),
    ...(timeZone === defaults.timeZone ? {} : { timeZone }),
  };
  const width = 'w-48 max-sm:w-[calc(50%-0.375rem)]';
  return (
    <FilterForm path={path} label="What happens" query={query}>
      <SelectField
        name="monitor"
        label="Monitor"
        options={monitors.map(({ id, name }) => ({ value: id === defaults.monitor ? '' : id, label: name }))}
        defaultValue={query.monitor ?? ''}
        className="w-64 max-sm:w-full"
      />
      <SelectField name="event" label="Event" options={EVENTS} defaultValue={event ?? ''} className={width} />
      <SelectField
        name="severity"
        label="Severity"
        options={SEVERITIES}
        defaultValue={severity ?? ''}
        className={width}
      />
      <TextField
        name="at"
        label="Time"
        type="datetime-local"
        defaultValue={at ?? ''}
        className="w-52 max-sm:w-full"
      />
      <SelectField
        name="timeZone"
        label="Time zone"
        options={timeZones.map((zone) => ({
          value: zone === defaults.timeZone ? '' : zone,
          label: zone.replaceAll('_', ' '),
        }))}
        defaultValue={query.timeZone ?? ''}
        className="w-52 max-sm:w-full"
      />
    </FilterForm>
  );
}
