import { CircleCheck, CircleDashed, CirclePause, CircleX, TriangleAlert } from 'lucide-react';
import { IconLabel, type IconLabelStyle } from '@/components/ui/icon-label';
import { Moment } from '@/components/ui/time/moment';
import type { DeliveryStatus } from '@/lib/schemas/webhooks/delivery';
import type { Webhook } from '@/lib/schemas/webhooks/webhook';
import { STATUS_LABELS } from './delivery-texts';

const ENDPOINT_STYLES: Record<Webhook['status'], IconLabelStyle> = {
  active: { label: 'Active', Icon: CircleCheck, color: 'text-good' },
  failing: { label: 'Failing', Icon: TriangleAlert, color: 'text-bad' },
  disabled: { label: 'Disabled', Icon: CirclePause, color: 'text-muted' },
};

const DELIVERY_STYLES: Record<DeliveryStatus, IconLabelStyle> = {
  failed: { label: STATUS_LABELS.failed, Icon: CircleX, color: 'text-bad' },
  pending: { label: STATUS_LABELS.pending, Icon: CircleDashed, color: 'text-slow' },
  delivered: { label: STATUS_LABELS.delivered, Icon: CircleCheck, color: 'text-good' },
};

export function EndpointBadge({ status }: { status: Webhook['status'] }) {
  return <IconLabel {...ENDPOINT_STYLES[status]} />;
}

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  return <IconLabel {...DELIVERY_STYLES[status]} />;
}

/** The status of an endpoint, and what it means. */
export function EndpointStanding({ endpoint, now }: { endpoint: Webhook; now: Date }) {
  return (
    <p className="flex flex-wrap items-center gap-x-1.5">
      <span aria-live="polite" className="flex">
        <EndpointBadge status={endpoint.status} />
      </span>
      <span className="text-muted">
        <Meaning endpoint={endpoint} now={now.toISOString()} />
      </span>
    </p>
  );
}

function Meaning({ endpoint, now }: { endpoint: Webhook; now: string }) {
  const { status, failingSince, autoDisabledAt } = endpoint;
  if (autoDisabledAt) {
    return (
      <>
        automatically <Moment at={autoDisabledAt} now={now} />, after days of failures. Enable it once the
        receiver works again; you can resend the missed deliveries then.
      </>
    );
  }
  if (status === 'disabled') return 'manually. Pending deliveries failed, and new events are not sent.';
  if (failingSince) {
    return (
      <>
        for <Moment at={failingSince} now={now} as="duration" />. It is disabled automatically after 5 days
        without a successful delivery.
      </>
    );
  }
  return null;
}
