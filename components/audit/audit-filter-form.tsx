import { X } from 'lucide-react';
import Link from 'next/link';
import { Button, buttonLook } from '@/components/ui/button';
import { SelectField, TextField } from '@/components/ui/field';
import type { AuditPage } from '@/lib/schemas/audit';
import { auditAddress, isNarrowed } from './audit-list';

type Props = { path: string; query: AuditPage; actions: readonly string[] };

/** Narrows the log; the choice is in the address, and it works without script. */
export function AuditFilterForm({ path, query, actions }: Props) {
  const { action, actor, subject, from, to } = query;
  const choices = [
    { value: '', label: 'Every action' },
    ...actions.map((each) => ({ value: each, label: each })),
  ];
  return (
    // Made anew when the address says something else: what stands in the fields is what is shown below.
    <form
      key={auditAddress('', query)}
      action={path}
      className="flex flex-wrap items-end gap-3"
      aria-label="Narrow the log"
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
        <Chosen name="actor" label="By" value={actor} without={{ ...query, actor: undefined }} path={path} />
      ) : null}
      {subject ? (
        <Chosen
          name="subject"
          label="Of"
          value={subject}
          without={{ ...query, subject: undefined }}
          path={path}
        />
      ) : null}
      <Button type="submit" className="h-9">
        Show
      </Button>
      {isNarrowed(query) ? (
        <Link prefetch={false} href={path} className={buttonLook({ tone: 'bare', size: 'large' })}>
          Show everything
        </Link>
      ) : null}
      <p className="w-full text-xs text-muted">Days are days in UTC.</p>
    </form>
  );
}

type ChosenProps = { name: string; label: string; value: string; without: AuditPage; path: string };

/** A choice that was made in the list, and the way to undo it. */
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
        aria-label={`Not only ${label.toLowerCase()} ${value}`}
      >
        <X aria-hidden="true" />
      </Link>
    </span>
  );
}
