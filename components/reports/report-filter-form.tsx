import { SelectField, TextField } from '@/components/ui/forms/field';
import { FilterForm } from '@/components/ui/forms/filter-form';
import { CUSTOM_DAYS, DEFAULT_TARGET, type ReportPage, type ReportQuery } from '@/lib/schemas/reports/report';
import { listMonths } from '@/lib/schemas/reports/report-texts';

/** As long as the ledger is kept. */
const MONTHS = 13;

type Props = {
  path: string;
  page: ReportPage;
  /** What the report shows, for fields that were not chosen yet. */
  query: ReportQuery;
  tags: readonly string[];
  statusPages: readonly { id: string; name: string }[];
  timeZones: readonly string[];
  now: Date;
};

/** Chooses what the report covers, through the URL. */
export function ReportFilterForm({ path, page, query, tags, statusPages, timeZones, now }: Props) {
  const isCustom = page.month === CUSTOM_DAYS;
  const shown = isCustom ? { ...page, from: query.from, to: query.to } : page;
  return (
    <div className="print:hidden">
      <FilterForm path={path} label="Report" query={shown}>
        <SelectField
          name="month"
          label="Period"
          options={listPeriods(now)}
          defaultValue={page.month ?? ''}
          className="sm:w-48"
        />
        {isCustom ? (
          <>
            <TextField name="from" label="First day" type="date" defaultValue={query.from} />
            <TextField name="to" label="Last day" type="date" defaultValue={query.to} />
          </>
        ) : null}
        <SelectField
          name="timeZone"
          label="Time zone"
          options={timeZones.map((zone) => ({ value: zone === 'UTC' ? '' : zone, label: zone }))}
          defaultValue={page.timeZone ?? ''}
          className="sm:w-44"
        />
        <SelectField
          name="tag"
          label="Tag"
          options={[{ value: '', label: 'Any tag' }, ...tags.map((tag) => ({ value: tag, label: tag }))]}
          defaultValue={page.tag ?? ''}
          className="sm:w-36"
        />
        <SelectField
          name="statusPage"
          label="Status page"
          options={[
            { value: '', label: 'All monitors' },
            ...statusPages.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          defaultValue={page.statusPage ?? ''}
          className="sm:w-44"
        />
        <TextField
          name="target"
          label="Target"
          unit="%"
          inputMode="decimal"
          placeholder={String(DEFAULT_TARGET)}
          defaultValue={page.target ?? ''}
          className="sm:w-24"
        />
      </FilterForm>
    </div>
  );
}

/** The last month, which is the default, the current one, and those before. */
function listPeriods(now: Date) {
  const [current, last, ...earlier] = listMonths(now, MONTHS);
  return [
    { value: '', label: `${last?.label}` },
    ...(current ? [current] : []),
    ...earlier,
    { value: CUSTOM_DAYS, label: 'Custom days' },
  ];
}
