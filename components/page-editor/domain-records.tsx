import { CodeBlock } from '@/components/ui/code-block';
import type { DomainStatus } from '@/lib/schemas/status-page';

type DnsRecord = NonNullable<DomainStatus['record']>;

/** The records to make at whoever holds the domain's DNS, to copy part by part. */
export function DomainRecords({ record, pointTo }: Pick<DomainStatus, 'record' | 'pointTo'>) {
  return (
    <div className="flex flex-col gap-3">
      {record ? <RecordCard title="Shows that the domain is yours" record={record} /> : null}
      {pointTo ? (
        <RecordCard
          title="Leads visitors here"
          record={pointTo}
          note="Where the name itself cannot have a CNAME, an ALIAS or A record does as well."
        />
      ) : (
        <p className="rounded-md border border-line bg-surface px-4 py-3 text-muted">
          Let the domain lead to the server that this service runs on. The address is not known here: whoever
          operates it sets <code className="font-mono text-xs">APP_URL</code>.
        </p>
      )}
    </div>
  );
}

function RecordCard({ title, record, note }: { title: string; record: DnsRecord; note?: string }) {
  const { type, name, value } = record;
  return (
    <section className="flex flex-col gap-3 rounded-lg border border-line bg-surface px-4 py-3">
      <h3 className="flex items-baseline gap-2 font-medium">
        <span className="rounded bg-sunken px-1.5 font-mono text-xs leading-5">{type}</span>
        {title}
      </h3>
      <dl className="grid gap-2 sm:grid-cols-[5rem_minmax(0,1fr)] sm:items-center">
        <dt className="text-xs text-muted">Name</dt>
        <dd>
          <CodeBlock text={name} label={`Copy the name of the ${type} record`} />
        </dd>
        <dt className="text-xs text-muted">Value</dt>
        <dd>
          <CodeBlock text={value} label={`Copy the value of the ${type} record`} />
        </dd>
      </dl>
      {note ? <p className="text-xs text-muted">{note}</p> : null}
    </section>
  );
}
