import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react';
import { cn } from '@/components/ui/cn';
import { Moment } from '@/components/ui/moment';
import type { DeliveryStatus } from '@/lib/schemas/delivery';
import type { Webhook } from '@/lib/schemas/webhook';
import { STATUS_WORDS } from './delivery-texts';

type Look = { word: string; Icon: LucideIcon; colour: string };

const ENDPOINT_LOOKS: Record<Webhook['status'], Look> = {
  active: { word: 'Active', Icon: CircleCheck, colour: 'text-good' },
  failing: { word: 'Failing', Icon: TriangleAlert, colour: 'text-bad' },
  disabled: { word: 'Disabled', Icon: CirclePause, colour: 'text-muted' },
};

const DELIVERY_LOOKS: Record<DeliveryStatus, Look> = {
  failed: { word: STATUS_WORDS.failed, Icon: CircleX, colour: 'text-bad' },
  pending: { word: STATUS_WORDS.pending, Icon: CircleDashed, colour: 'text-slow' },
  delivered: { word: STATUS_WORDS.delivered, Icon: CircleCheck, colour: 'text-good' },
};

/** How an endpoint is doing, as icon and word. */
export function EndpointBadge({ status }: { status: Webhook['status'] }) {
  return <Badge {...ENDPOINT_LOOKS[status]} />;
}

/** What became of a delivery, as icon and word. */
export function DeliveryBadge({ status, className }: { status: DeliveryStatus; className?: string }) {
  return <Badge {...DELIVERY_LOOKS[status]} className={className} />;
}

function Badge({ word, Icon, colour, className }: Look & { className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 align-middle font-medium whitespace-nowrap',
        colour,
        className,
      )}
    >
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {word}
    </span>
  );
}

/** How an endpoint is doing, since when, and what that means. */
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
        since <Moment at={autoDisabledAt} now={now} />, because it only failed for days. Enable it when the
        receiver works; what it misses meanwhile can be sent then.
      </>
    );
  }
  if (status === 'disabled')
    return 'by a person: what waited has failed, and events that happen meanwhile are not sent.';
  if (failingSince) {
    return (
      <>
        for <Moment at={failingSince} now={now} as="duration" />: after 5 days without a success it is
        disabled.
      </>
    );
  }
  return null;
}
