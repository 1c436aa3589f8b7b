import { X } from 'lucide-react';
import Link from 'next/link';
import { SelectField, TextField } from '@/components/ui/forms/field';
import { FilterForm } from '@/components/ui/forms/filter-form';
import { AUDITED_ACTIONS, type AuditPage } from '@/lib/schemas/audit';
import { auditAddress } from './audit-list';

/** Filters that links in the list set. */
const CHOSEN_IN_LIST = [
  ['actor', 'Actor'],
  ['subject', 'Subject'],
  ['requestId', 'Request'],
] as const;

const ACTIONS = [
  { value: '', label: 'All actions' },
  ...AUDITED_ACTIONS.map((each) => ({ value: each, label: each })),
];

type Props = { path: string; query: AuditPage };

/** Filters the log. */
export function AuditFilterForm({ path, query }: Props) {
  const { action, from, to } = query;
  const chosen = CHOSEN_IN_LIST.filter(([name]) => query[name]);
  return (
    <FilterForm path={path} label="Filters" query={query}>
      <SelectField
        name="action"
        label="Action"
        options={ACTIONS}
        defaultValue={action ?? ''}
        className="sm:w-56"
      />
      <TextField name="from" label="From" type="date" defaultValue={from ?? ''} />
      <TextField name="to" label="To" type="date" defaultValue={to ?? ''} />
      {chosen.map(([name, label]) => (
        <span
          key={name}
          className="flex h-9 max-w-full items-center gap-1.5 rounded-md border border-line bg-sunken pl-2.5 text-sm"
        >
          <input type="hidden" name={name} value={query[name]} />
          <span className="text-muted">{label}</span>
          <span className="truncate font-mono text-xs">{query[name]}</span>
          <Link
            prefetch={false}
            href={auditAddress(path, { ...query, [name]: undefined, after: undefined })}
            className="flex h-full items-center px-2 text-muted hover:text-ink [&_svg]:size-3.5"
            aria-label={`Remove the filter “${label} ${query[name]}”`}
          >
            <X />
          </Link>
        </span>
      ))}
      <p className="order-last w-full text-xs text-muted">Dates are in UTC.</p>
    </FilterForm>
  );
}
