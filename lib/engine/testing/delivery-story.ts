import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import { createWake } from '@/lib/core/time/wake';
import type { Services } from '@/lib/domain/context/services';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { getWebhook } from '@/lib/domain/webhooks/read-webhooks';
import type { Sender } from '@/lib/domain/webhooks/send-delivery';
import { type ClaimedDelivery, claimDeliveries } from '@/lib/engine/deliveries/claim-deliveries';
import {
  awaitAttempts,
  createDeliveryEngine,
  type DeliveryEngine,
} from '@/lib/engine/deliveries/drain-deliveries';
import { findDueDeliveries } from '@/lib/engine/deliveries/find-deliveries';
import { emitEvents } from '@/lib/notify/emit-events';
import type { Database } from '@/lib/platform/db/client';
import { createMoments } from '@/lib/platform/db/moments';
import type { Credentials } from '@/lib/schemas/webhooks/credentials';
import { EVENT_KINDS } from '@/lib/schemas/webhooks/event-kinds';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import type { Receiver } from '@/lib/testing/receiver';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import type { WebhookFormat } from '@/lib/webhook-formats/formats';

export const START = new Date('2026-03-01T12:00:00.000Z');

type StoryOptions = Pick<Sender, 'timeout' | 'secureContext' | 'connections'> & {
  appUrl?: string | null;
  format?: WebhookFormat;
  credentials?: Credentials;
  headers?: Record<string, string>;
  template?: string | null;
  /** One of its own by default. */
  path?: string;
  mail?: boolean;
  acknowledgeLinks?: boolean;
};

export type DeliveryStory = Awaited<ReturnType<typeof beginDeliveryStory>>;

/** A worker that delivers on command. */
export function createTestDeliveryEngine(services: Services, sender: Partial<Sender> = {}): DeliveryEngine {
  return createDeliveryEngine({
    workerId: 'wrk_test',
    services,
    moments: createMoments(services.db),
    serviceName: 'Pharos',
    sender: { policy: services.targetPolicy, ...sender },
    wake: createWake(),
    log: createLogger('silent', 'test'),
    limits: { total: 10, reserved: 0, perOrganization: 10, perEndpoint: { least: 5, most: 5 } },
    signal: new AbortController().signal,
  });
}

/** An organization with one endpoint at its own path, and an engine with a manual clock. */
export async function beginDeliveryStory(
  db: Database,
  receiver: Pick<Receiver, 'url' | 'requests'>,
  {
    appUrl = null,
    format = 'standard',
    credentials = {},
    headers = {},
    template = null,
    mail = false,
    acknowledgeLinks = true,
    path: given,
    ...sender
  }: StoryOptions = {},
) {
  const clock = createManualClock(START);
  const services = { ...createTestServices({ db, clock, mail }), appUrl };
  const { ctx, organizationId } = await createTestOrganization(services);
  const path = given ?? `/${organizationId}`;
  const input = {
    url: receiver.url + path,
    format,
    credentials,
    headers,
    template,
    acknowledgeLinks,
    events: EVENT_KINDS,
  };
  const endpoint = await createWebhook(ctx, createWebhookSchema.parse(input));
  const engine = createTestDeliveryEngine(services, sender);
  return {
    clock,
    ctx,
    endpoint,
    engine,
    organizationId,
    requests: () => receiver.requests.filter((request) => request.path.split('?')[0] === path),
    /** Emits an event at the current time of the clock: an incident, unless another is given. */
    emit: (payload: EventContent = incidentCreated(clock.now())) =>
      db.$transaction((tx) =>
        emitEvents(tx, services, [{ organizationId, occurredAt: clock.now(), payload }]),
      ),
    /** Starts the attempts due now, and returns how many. */
    begin: async () => (await engine.pump.start(clock.now())).claimed,
    /** Makes the attempts due now, and waits for them. */
    async send(): Promise<void> {
      await engine.pump.start(clock.now());
      await awaitAttempts(engine);
    },
    /** Makes every attempt until the first delivery has ended. */
    async sendToTheEnd(): Promise<void> {
      for (;;) {
        await this.send();
        const { nextAttemptAt } = await this.delivery();
        if (nextAttemptAt === null) return;
        clock.set(nextAttemptAt);
      }
    },
    /** The newest delivery, attempts oldest first. */
    delivery: () =>
      db.delivery.findFirstOrThrow({
        where: { organizationId },
        orderBy: { number: 'desc' },
        include: { attemptLog: { orderBy: { number: 'asc' } } },
      }),
    webhook: () => getWebhook(ctx, endpoint.id),
  };
}

/** Claims what is due now, like a worker with enough slots. */
export async function claimDue(services: Services, workerId: string): Promise<ClaimedDelivery[]> {
  const search = { now: services.clock.now(), depth: 100, endpoints: { except: { first: [], retries: [] } } };
  const { found: candidates } = await findDueDeliveries(services, search);
  return claimDeliveries(services, { candidates, workerId });
}

/** The payload of incident.created at a moment. */
export function incidentCreated(at: Date) {
  return {
    event: 'incident.created' as const,
    causedBy: null,
    timestamp: at.toISOString(),
    incident: {
      id: 'inc_1',
      title: 'Shop is down',
      description: 'Shop is down.',
      status: 'investigating' as const,
      severity: 'critical' as const,
      affectedMonitors: [],
      affectedComponents: [],
      impacts: {},
    },
  };
}
