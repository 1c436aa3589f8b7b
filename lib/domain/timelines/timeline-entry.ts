import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { DeliveryStatus } from '@/lib/platform/db/generated/enums';
import type { Transition } from '@/lib/schemas/monitor/transition';

/** Whose timeline is read; the caller has required the permission. */
export type Scope = Pick<OrganizationContext, 'db' | 'organizationId'>;

/** A monitor as an entry names it. */
export type NamedMonitor = { id: string; name: string };

/** An endpoint that an event was sent to, and how that went. `host` is null once the endpoint is deleted. */
export type SentDelivery = {
  id: string;
  description: string | null;
  host: string | null;
  status: DeliveryStatus;
  attempts: number;
  settledAt: Date | null;
};

/** Someone who was emailed; neither sent nor failed: queued. */
export type SentEmail = { recipient: string; sentAt: Date | null; error: string | null };

/** What happened around an incident besides its updates, each with when; `id` is unique in a timeline. */
export type TimelineEntry = { id: string; at: Date } & (
  | { kind: 'marker'; title: string; url: string | null }
  | { kind: 'edit'; subject: string; action: string; fields: string[]; by: string }
  /** The first failed check of a region, and how many were counted with it, the last of them at `until`; `hasMore`: others were not. */
  | {
      kind: 'failures';
      monitor: NamedMonitor;
      region: string | null;
      checks: number;
      hasMore: boolean;
      until: Date;
      error: string | null;
      evidenceId: string | null;
    }
  | { kind: 'transition'; monitor: NamedMonitor; transition: Transition }
  | { kind: 'acknowledgement'; by: string; isWithdrawn: boolean }
  | { kind: 'event'; event: string; deliveries: SentDelivery[] }
  /** `notice` is the kind of a `member_notice`. */
  | { kind: 'emails'; notice: string; emails: SentEmail[] }
  /** People were not notified of a change of the monitor, or not at once, because what it depends on was down. */
  | { kind: 'suppression'; cause: NamedMonitor }
  /** The monitor flapped: people were not notified of single changes until `until`; null: it still does. */
  | { kind: 'flapping'; monitor: NamedMonitor; until: Date | null }
  | { kind: 'publication'; page: string }
  /** An email to the subscribers of a status page. */
  | { kind: 'subscribers'; page: string; event: string }
);
