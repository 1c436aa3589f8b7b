import type { Engine } from '@/lib/engine/create-engine';
import { createDrainFunction, type DrainFunction } from '../drain-function';

/** Sends email to members and subscribers, and retries it; null if this worker sends none. */
export const sendMail = ({ services, drainMail, dueAt }: Engine, app: string): DrainFunction | null =>
  drainMail &&
  createDrainFunction({
    app,
    id: 'send-mail',
    event: 'pharos/mail.due',
    drain: drainMail,
    dueAt: dueAt.mail,
    clock: services.clock,
  });
