import { type CronSchedule, parseCron } from './cron';
import { isRecord } from './key-expression';

/**
 * Reads what starts a function.
 * @throws Error saying which trigger cannot be honoured in memory
 */
export function readTriggers(triggers: unknown): { eventNames: string[]; crons: CronSchedule[] } {
  const eventNames = new Set<string>();
  const crons: CronSchedule[] = [];
  for (const trigger of Array.isArray(triggers) ? triggers : []) {
    if (!isRecord(trigger)) throw new Error('a trigger is not an object');
    if (trigger.if !== undefined) throw new Error('a trigger with an "if" expression is not supported');
    if (trigger.jitter !== undefined) throw new Error('a cron trigger with "jitter" is not supported');
    if (typeof trigger.cron === 'string') crons.push(parseCron(trigger.cron));
    else eventNames.add(readEventName(trigger.event));
  }
  if (eventNames.size + crons.length === 0) throw new Error('it has no trigger, so nothing could start it');
  return { eventNames: [...eventNames], crons };
}

function readEventName(event: unknown): string {
  const name = isRecord(event) ? event.name : event;
  if (typeof name !== 'string' || name === '') throw new Error('a trigger has neither an event nor a cron');
  if (name.includes('*')) throw new Error(`the event pattern "${name}" is not supported`);
  if (name.startsWith('inngest/')) throw new Error(`Inngest's own event "${name}" is not sent in memory`);
  return name;
}
