import { Plus } from 'lucide-react';
import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';
import { Fact, Facts } from '@/components/ui/fold';
import { Moment } from '@/components/ui/moment';
import type { Delivery } from '@/lib/schemas/webhooks/delivery';
import type { Webhook } from '@/lib/schemas/webhooks/webhook';
import { endpointName, FORMAT_TEXTS, formatEvents, isAllEvents, STATUS_LABELS } from './delivery-texts';
import { EnabledSwitch } from './enabled-switch';
import { EndpointBadge } from './status-badges';

const HEAD = 'px-3 py-2 text-left text-xs font-medium text-muted';
const CELL = 'px-3 py-2 align-middle max-lg:p-0';
/** On narrow screens a row becomes a card; it keeps its table semantics. */
const ROW =
  'relative border-b border-line last:border-0 hover:bg-sunken has-[a:focus-visible]:bg-sunken max-lg:grid max-lg:grid-cols-[1fr_auto] max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1.5 max-lg:px-3 max-lg:py-3';

type SetEnabled = (id: string, enabled: boolean) => Promise<string | null>;

type Props = {
  endpoints: Webhook[];
  latest: Map<string, Delivery>;
  now: Date;
  /** Absent for viewers. */
  setEnabled?: SetEnabled;
};

export function EndpointList({ endpoints, latest, now, setEnabled }: Props) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full table-fixed border-collapse max-lg:block">
        <thead className="border-b border-line max-lg:sr-only">
          <tr>
            <th scope="col" className={`${HEAD} w-28`}>
              Status
            </th>
            <th scope="col" className={HEAD}>
              Endpoint
            </th>
            <th scope="col" className={`${HEAD} w-36`}>
              Format
            </th>
            <th scope="col" className={`${HEAD} w-40`}>
              Events
            </th>
            <th scope="col" className={`${HEAD} w-52`}>
              Last delivery
            </th>
            {setEnabled ? (
              <th scope="col" className={`${HEAD} w-20 text-right`}>
                Enabled
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody className="max-lg:block">
          {endpoints.map((endpoint) => (
            <EndpointRow
              key={endpoint.id}
              endpoint={endpoint}
              last={latest.get(endpoint.id)}
              now={now}
              setEnabled={setEnabled}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = { endpoint: Webhook; last: Delivery | undefined; now: Date; setEnabled?: SetEnabled };

function EndpointRow({ endpoint, last, now, setEnabled }: RowProps) {
  const { id, url, description, events, format, status, enabled } = endpoint;
  const name = endpointName(endpoint);
  return (
    <tr className={ROW}>
      <td className={`${CELL} max-lg:order-3`}>
        <EndpointBadge status={status} />
      </td>
      <th scope="row" className={`${CELL} text-left font-normal max-lg:order-1 max-lg:min-w-0`}>
        <Link
          prefetch={false}
          href={`/notifications/${id}`}
          className="block truncate font-medium outline-offset-0 after:absolute after:inset-0"
        >
          {name}
        </Link>
        {description ? (
          <span className="block truncate font-mono text-xs text-muted" title={url}>
            {url}
          </span>
        ) : null}
      </th>
      <td className={`${CELL} max-lg:hidden`}>{FORMAT_TEXTS[format].label}</td>
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

/** Shown before the first endpoint: what webhooks are for, and how to start. */
export function EmptyEndpoints({ mayCreate }: { mayCreate: boolean }) {
  return (
    <section className="rounded-lg border border-line bg-surface px-5 py-8 sm:px-8">
      <div className="flex max-w-2xl flex-col gap-5">
        <div className="flex flex-col gap-2">
          <h2 className="text-base font-semibold">No notifications set up yet</h2>
          <p className="text-muted">
            Add a webhook endpoint to receive a signed POST request within seconds when a monitor goes down,
            recovers, or slows down, and when an incident changes. Failed deliveries are retried five times
            over about 26 hours. Every attempt is logged here. Slack, Discord, and Microsoft Teams can receive
            events as messages.
          </p>
          {mayCreate ? null : (
            <p className="text-muted">
              Ask a member or admin of this organization to add the first endpoint.
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {mayCreate ? (
            <Link
              prefetch={false}
              href="/notifications/new"
              className={buttonLook({ tone: 'primary', size: 'large' })}
            >
              <Plus aria-hidden="true" />
              New endpoint
            </Link>
          ) : null}
          <Link prefetch={false} href="/docs#receiving-webhooks" className={buttonLook({ size: 'large' })}>
            How to receive webhooks
          </Link>
        </div>
      </div>
    </section>
  );
}

/** The format and events of an endpoint. */
export function EndpointFacts({ endpoint, now }: { endpoint: Webhook; now: Date }) {
  const { format, events, createdAt, updatedAt } = endpoint;
  return (
    <Facts className="lg:grid-cols-[1fr_2fr_1fr_1fr]">
      <Fact term="Format">{FORMAT_TEXTS[format].label}</Fact>
      <Fact term="Events" className="max-lg:order-last max-lg:col-span-2">
        {isAllEvents(events) ? `All: ${events.join(', ')}` : events.join(', ')}
      </Fact>
      <Fact term="Created">
        <Moment at={createdAt} now={now.toISOString()} />
      </Fact>
      <Fact term="Updated" className="max-lg:hidden">
        <Moment at={updatedAt} now={now.toISOString()} />
      </Fact>
    </Facts>
  );
}
