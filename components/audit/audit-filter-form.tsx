import { X } from 'lucide-react';
import Link from 'next/link';
import { Button, buttonLook } from '@/components/ui/button';
import { SelectField, TextField } from '@/components/ui/forms/field';
import type { AuditPage } from '@/lib/schemas/audit';
import { auditAddress, isFiltered } from './audit-list';

type Props = { path: string; query: AuditPage; actions: readonly string[] };

/** Filters the log. The filters are in the URL, and it works without scripts. */
export function AuditFilterForm({ path, query, actions }: Props) {
  const { action, actor, subject, from, to } = query;
  const choices = [
    { value: '', label: 'All actions' },
    ...actions.map((each) => ({ value: each, label: each })),
  ];
  return (
    // The key resets the fields when the URL changes, so that they always match the list below.
    <form
      key={auditAddress('', query)}
      action={path}
      className="flex flex-wrap items-end gap-3"
      aria-label="Filters"
    >
      <SelectField
        name="action"
        label="Action"
        options={choices}
        defaultValue={action ?? ''}
        className="w-56 max-sm:w-full"
      />
      <TextField name="from" label="From" type="date" defaultValue={from ?? ''} className="max-sm:flex-1" />
      <TextField name="to" label="To" type="date" defaultValue={to ?? ''} className="max-sm:flex-1" />
      {actor ? (
        <Chosen
          name="actor"
          label="Actor"
          value={actor}
          without={{ ...query, actor: undefined }}
          path={path}
        />
      ) : null}
      {subject ? (
        <Chosen
          name="subject"
          label="Subject"
          value={subject}
          without={{ ...query, subject: undefined }}
          path={path}
        />
      ) : null}
      <Button type="submit" className="h-9">
        Apply
      </Button>
      {isFiltered(query) ? (
        <Link prefetch={false} href={path} className={buttonLook({ tone: 'bare', size: 'large' })}>
          Clear filters
        </Link>
      ) : null}
      <p className="w-full text-xs text-muted">Dates are in UTC.</p>
    </form>
  );
}

type ChosenProps = { name: string; label: string; value: string; without: AuditPage; path: string };

/** A filter chosen in the list, with a link that removes it. */
function Chosen({ name, label, value, without, path }: ChosenProps) {
  return (
    <span className="flex h-9 max-w-full items-center gap-1.5 rounded-md border border-line bg-sunken pl-2.5 text-sm">
      <input type="hidden" name={name} value={value} />
      <span className="text-muted">{label}</span>
      <span className="truncate font-mono text-xs">{value}</span>
      <Link
        prefetch={false}
        href={auditAddress(path, { ...without, after: undefined })}
        className="flex h-full items-center px-2 text-muted hover:text-ink [&_svg]:size-3.5"
        aria-label={`Remove the filter “${label} ${value}”`}
      >
        <X aria-hidden="true" />
      </Link>
    </span>
  );
}
