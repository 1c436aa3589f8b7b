import type { Engine } from '@/lib/engine/create-engine';
import { createDrainFunction } from '../drain-function';

/** Sends webhooks, and retries those that failed. */
export const deliverWebhooks = ({ services, drainDeliveries, dueAt }: Engine, app: string) =>
  createDrainFunction({
    app,
    id: 'deliver-shard',
    event: 'pharos/deliver.shard',
    drain: drainDeliveries,
    dueAt: dueAt.deliveries,
    clock: services.clock,
  });
