import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { createWake, type Wake } from '@/lib/core/wake';
import type { Services } from '@/lib/domain/context/services';
import type { BatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { attemptBeside, drainUntil } from '@/lib/engine/runtime/drain-until';
import { releaseLostMail } from '@/lib/engine/runtime/release-claims';
import { createSlots, type Slots } from '@/lib/engine/runtime/slots';
import { type MailContent, mailContentSchema } from '@/lib/platform/mail/queue-mail';
import { renderMail } from '@/lib/platform/mail/render-mail';
import {
  createMailTransport,
  MAIL_CONNECTIONS,
  type MailOutcome,
  type MailTransport,
  type SmtpSettings,
} from '@/lib/platform/mail/smtp-transport';
import {
  type ClaimedMail,
  claimDueMail,
  createMailRecorder,
  nextMailAt,
  type SettledMail,
  settleMail,
} from './claim-mail';
import { mailDueNotices, type NoticeSettings, nextNoticesAt } from './mail-notices';
import { mailDuePageNotices, nextPageNoticesAt } from './mail-page-notices';

/** What a process needs to send e-mail. */
export type MailEngine = {
  workerId: string;
  services: Services;
  transport: MailTransport;
  /** One for each connection of the transport. */
  slots: Slots;
  recorder: BatchRecorder<SettledMail>;
  /** When claims were made whose response was lost. */
  lostClaims: Date[];
  serviceName: string;
  notices: NoticeSettings;
  wake: Wake;
  log: Logger;
};

const MIN_SLEEP_MS = 20;
/** News that could not be sent for so long, because no worker ran or e-mail was off, is none. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** The mail engine of a process, with a pool of connections that is opened as it is needed. */
export function createMailEngine({
  smtp,
  ...engine
}: Omit<MailEngine, 'transport' | 'slots' | 'recorder' | 'lostClaims' | 'wake'> & {
  smtp: SmtpSettings;
}): MailEngine {
  const wake = createWake();
  return {
    ...engine,
    wake,
    transport: createMailTransport(smtp),
    slots: createSlots(MAIL_CONNECTIONS, wake.ring),
    recorder: createMailRecorder(engine.services, engine.log),
    lostClaims: [],
  };
}

/**
 * Writes the mails that tell members and subscribers of what has been gathered, and sends what is due, until `until`;
 * tries still running then go on beside the next drain.
 */
export function drainDueMail(
  engine: MailEngine,
  { until, signal }: { until: Date; signal: AbortSignal },
): Promise<void> {
  const { services, wake, slots, notices, log } = engine;
  const drain = {
    name: 'mail',
    log,
    clock: services.clock,
    wake,
    minSleepMs: MIN_SLEEP_MS,
    startDue: async () => {
      await attemptBeside(engine, 'notices to members', () => mailDueNotices({ ...services, log }, notices));
      await attemptBeside(engine, 'notices to subscribers', () =>
        mailDuePageNotices({ ...services, log }, notices),
      );
      return (await startDueMail(engine)) > 0;
    },
    nextDueAt: async () =>
      earliest([
        await nextNoticesAt(services, notices),
        await nextPageNoticesAt(services, notices),
        slots.free() > 0 ? await nextMailAt(services) : null,
      ]),
  };
  return drainUntil(drain, { until, signal });
}

/** When the first news or mail is due that nobody sends yet, in the past where it waits already; null: none. */
export async function mailDueAt({
  services,
  notices,
}: Pick<MailEngine, 'services' | 'notices'>): Promise<Date | null> {
  return earliest([
    await nextNoticesAt(services, notices),
    await nextPageNoticesAt(services, notices),
    await nextMailAt(services),
  ]);
}

function earliest(moments: (Date | null)[]): Date | null {
  const times = moments.flatMap((moment) => (moment === null ? [] : [moment.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Claims what is due now and begins to send it; answers how many tries were begun. */
export async function startDueMail(engine: MailEngine): Promise<number> {
  const { slots, log } = engine;
  const limit = slots.free();
  if (limit <= 0) return 0;
  const claimed = await claimOrNote(engine, limit);
  for (const mail of claimed) {
    slots.run(() =>
      attempt(engine, mail).catch((error: unknown) => {
        const fields = { error: describeError(error), mail: mail.id };
        log.error(fields, 'an attempt to send a mail failed; its lease will end');
      }),
    );
  }
  return claimed.length;
}

/** Whether a claim was made whose response is lost, nobody knows: it is given back before the next one. */
async function claimOrNote(engine: MailEngine, limit: number): Promise<ClaimedMail[]> {
  const { services, workerId } = engine;
  const moments = [...engine.lostClaims];
  if (moments.length > 0) await releaseLostMail(services, { workerId, moments });
  engine.lostClaims = engine.lostClaims.filter((moment) => !moments.includes(moment));
  const now = services.clock.now();
  try {
    return await claimDueMail(services, { limit, workerId, now });
  } catch (error) {
    engine.lostClaims.push(now);
    throw error;
  }
}

async function attempt(engine: MailEngine, mail: ClaimedMail): Promise<void> {
  const outcome = await send(engine, mail);
  const settled = settleMail(mail, outcome, engine.services.clock.now());
  const isRecorded = await engine.recorder.add(settled);
  if (outcome.sent || !isRecorded) return;
  const fields = { mail: mail.id, kind: mail.kind, error: outcome.error };
  if (settled.failedAt) engine.log.error(fields, 'a mail could not be sent');
  else engine.log.warn(fields, 'a mail could not be sent yet; it is tried again');
}

async function send(
  { services, transport, serviceName }: MailEngine,
  mail: ClaimedMail,
): Promise<MailOutcome> {
  const { clock, keyring } = services;
  const now = clock.now();
  if (now.getTime() - mail.createdAt.getTime() > STALE_MS) {
    return { sent: false, isFinal: true, error: 'it waited for more than a day' };
  }
  let content: MailContent;
  try {
    content = mailContentSchema.parse(JSON.parse(keyring.open(mail.contentSealed, mail.id)));
  } catch (error) {
    return { sent: false, isFinal: true, error: `its content cannot be read: ${describeError(error)}` };
  }
  return transport.send({
    ...renderMail(content, { serviceName }),
    id: mail.id,
    to: mail.recipient,
    date: now,
  });
}
