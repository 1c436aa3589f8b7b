import { SelectField } from '@/components/ui/forms/field';
import { FilterForm } from '@/components/ui/forms/filter-form';
import { nameOptions } from '@/components/ui/forms/name-options';
import type { LogQuery } from '@/lib/schemas/webhooks/delivery-log';

type Named = { id: string; name: string };

type Props = {
  path: string;
  query: LogQuery;
  monitors: Named[];
  /** Absent if all deliveries belong to one endpoint. */
  endpoints?: Named[];
};

/** Filters the log by monitor and endpoint, and keeps its status, which links choose. */
export function DeliveryFilterForm({ path, query, monitors, endpoints }: Props) {
  const { status, monitor, webhook } = query;
  const width = 'sm:w-48';
  return (
    <FilterForm path={path} label="Filter deliveries" query={query}>
      {status ? <input type="hidden" name="status" value={status} /> : null}
      <SelectField
        name="monitor"
        label="Monitor"
        options={nameOptions(monitors, monitor, { any: 'Any monitor', deleted: 'A deleted monitor' })}
        defaultValue={monitor ?? ''}
        className={width}
      />
      {endpoints ? (
        <SelectField
          name="webhook"
          label="Channel"
          options={nameOptions(endpoints, webhook, { any: 'Any channel', deleted: 'A deleted channel' })}
          defaultValue={webhook ?? ''}
          className={width}
        />
      ) : null}
    </FilterForm>
  );
}
