import { DataTable } from '@/components/ui/data-table';
import { Fact, Facts } from '@/components/ui/fold';
import { RowLink } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';
import type { Delivery } from '@/lib/schemas/webhooks/delivery';
import type { Webhook } from '@/lib/schemas/webhooks/webhook';
import { endpointName, formatEvents, isAllEvents, STATUS_LABELS } from './delivery-texts';
import { EnabledSwitch } from './enabled-switch';
import { formatRule } from './rules/rule-texts';
import { EndpointBadge } from './status-badges';

const CELL = 'px-3 py-2 align-middle max-lg:p-0';
const ROW =
  'relative border-b border-line last:border-0 hover:bg-sunken has-[a:focus-visible]:bg-sunken max-lg:grid max-lg:grid-cols-[1fr_auto] max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1.5 max-lg:px-3 max-lg:py-3';

type SetEnabled = (id: string, enabled: boolean) => Promise<string | null>;

type Props = {
  endpoints: Webhook[];
  latest: Map<string, Delivery>;
  /** What people call a format. */
  formatLabel(format: Webhook['format']): string;
  now: Date;
  /** Absent for viewers. */
  setEnabled?: SetEnabled;
};

export function EndpointList({ endpoints, latest, formatLabel, now, setEnabled }: Props) {
  return (
    <DataTable
      cardsBelow="lg"
      columns={[
        { label: 'Status', className: 'w-28' },
        { label: 'Channel' },
        { label: 'Format', className: 'w-36' },
        { label: 'Events', className: 'w-40' },
        { label: 'Last delivery', className: 'w-52' },
        setEnabled ? { label: 'Enabled', className: 'w-20 text-right' } : null,
      ]}
    >
      {endpoints.map((endpoint) => (
        <EndpointRow
          key={endpoint.id}
          endpoint={endpoint}
          last={latest.get(endpoint.id)}
          format={formatLabel(endpoint.format)}
          now={now}
          setEnabled={setEnabled}
        />
      ))}
    </DataTable>
  );
}

type RowProps = {
  endpoint: Webhook;
  last: Delivery | undefined;
  format: string;
  now: Date;
  setEnabled?: SetEnabled;
};

function EndpointRow({ endpoint, last, format, now, setEnabled }: RowProps) {
  const { id, url, description, events, status, enabled } = endpoint;
  const name = endpointName(endpoint);
  return (
    <tr className={ROW}>
      <td className={`${CELL} max-lg:order-3`}>
        <EndpointBadge status={status} />
      </td>
      <th scope="row" className={`${CELL} text-left font-normal max-lg:order-1 max-lg:min-w-0`}>
        <RowLink href={`/notifications/${id}`} className="block truncate">
          {name}
        </RowLink>
        {description ? (
          <span className="block truncate font-mono text-xs text-muted" title={url}>
            {url}
          </span>
        ) : null}
      </th>
      <td className={`${CELL} max-lg:hidden`}>{format}</td>
      <td className={`${CELL} max-lg:hidden`}>
        <span className="relative" title={events.join(', ')}>
          {formatEvents(events)}
        </span>
      </td>
      <td
        className={`${CELL} text-muted tabular-nums max-lg:order-4 max-lg:justify-self-end max-lg:text-right max-lg:text-xs`}
      >
        <Activity endpoint={endpoint} last={last} now={now.toISOString()} />
      </td>
      {setEnabled ? (
        <td className={`${CELL} max-lg:order-2`}>
          <EnabledSwitch name={name} enabled={enabled} setEnabled={setEnabled.bind(null, id)} />
        </td>
      ) : null}
    </tr>
  );
}

/** Failures first, otherwise the last delivery. */
function Activity({ endpoint, last, now }: { endpoint: Webhook; last: Delivery | undefined; now: string }) {
  const { failingSince, autoDisabledAt } = endpoint;
  if (autoDisabledAt) {
    return (
      <span className="text-bad">
        Disabled after failures <Moment at={autoDisabledAt} now={now} />
      </span>
    );
  }
  if (failingSince) {
    return (
      <span className="text-bad">
        Failing for <Moment at={failingSince} now={now} as="duration" />
      </span>
    );
  }
  if (!last) return 'No deliveries yet';
  return (
    <>
      {STATUS_LABELS[last.status]} <Moment at={last.lastAttemptAt ?? last.createdAt} now={now} />
    </>
  );
}

type FactsProps = {
  endpoint: Webhook;
  /** What people call its format. */
  format: string;
  monitors: readonly { id: string; name: string }[];
  now: Date;
};

/** The format, events and rules of an endpoint. */
export function EndpointFacts({ endpoint, format, monitors, now }: FactsProps) {
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  const { events, rules, createdAt, updatedAt } = endpoint;
  return (
    <Facts className="grid-cols-2 lg:grid-cols-[1fr_2fr_1fr_1fr]">
      <Fact term="Format">{format}</Fact>
      <Fact term="Events" className="max-lg:order-last max-lg:col-span-2">
        {isAllEvents(events) ? `All: ${events.join(', ')}` : events.join(', ')}
      </Fact>
      {rules.length === 0 ? null : (
        <Fact term="Only" className="order-last col-span-full">
          {rules.map((rule) => formatRule(rule, names)).join('; or ')}
        </Fact>
      )}
      <Fact term="Created">
        <Moment at={createdAt} now={now.toISOString()} />
      </Fact>
      <Fact term="Updated" className="max-lg:hidden">
        <Moment at={updatedAt} now={now.toISOString()} />
      </Fact>
    </Facts>
  );
}
