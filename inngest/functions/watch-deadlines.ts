import type { Engine } from '@/lib/engine/create-engine';
import { createDrainFunction } from '../drain-function';

/** Finds heartbeats whose call is overdue. */
export const watchDeadlines = ({ services, drainDeadlines, dueAt }: Engine, app: string) =>
  createDrainFunction({
    app,
    id: 'watch-deadlines',
    event: 'pharos/deadlines.due',
    drain: drainDeadlines,
    dueAt: dueAt.deadlines,
    clock: services.clock,
  });
