import { describeError } from '@/lib/core/errors';
import { writeJournal } from '@/lib/core/journal/journal';
import type { Logger } from '@/lib/core/logger';
import { earliest } from '@/lib/core/time/clock';
import { createWake, type Wake } from '@/lib/core/time/wake';
import type { Services } from '@/lib/domain/context/services';
import { nextPushAt } from '@/lib/engine/push/claim-pushes';
import { createPushes, type Pushes, startDuePushes } from '@/lib/engine/push/send-pushes';
import type { BatchRecorder, RecordingObserver } from '@/lib/engine/runtime/batch-recorder';
import { drainUntil, runSideWork } from '@/lib/engine/runtime/drain-until';
import { createLostClaims, type LostClaims } from '@/lib/engine/runtime/lost-claims';
import { createSlots, type Slots } from '@/lib/engine/runtime/slots';
import { nextSubscriberDeliveryAt } from '@/lib/engine/subscribers/claim-deliveries';
import {
  createSubscriberDeliveries,
  type SubscriberDeliveries,
  startSubscriberDeliveries,
} from '@/lib/engine/subscribers/deliver';
import { giveBackClaims } from '@/lib/platform/db/claims';
import { createMoments, type Moments } from '@/lib/platform/db/moments';
import {
  type MailContent,
  type MailThread,
  mailContentSchema,
  mailThreadSchema,
} from '@/lib/platform/mail/queue-mail';
import { renderMail } from '@/lib/platform/mail/render-mail';
import {
  type CurrentTransport,
  createCurrentTransport,
  MAIL_CONNECTIONS,
  type MailOutcome,
  type SmtpSettings,
} from '@/lib/platform/mail/smtp-transport';
import {
  type ClaimedMail,
  claimDueMail,
  createMailRecorder,
  type FinishedMail,
  finishMail,
  MAIL,
  nextMailAt,
} from './claim-mail';
import { memberNotices, type NoticeSettings, nextNoticesAt, PAGE_NOTICES } from './gather-notices';
import { mailDueNotices } from './mail-notices';
import { mailDuePageNotices } from './mail-page-notices';

/** What a process needs to send email. */
export type MailEngine = {
  workerId: string;
  services: Services;
  /** Of mail alone: they count what is pending. */
  moments: Moments;
  transport: CurrentTransport;
  /** One slot per connection of the transport. */
  slots: Slots;
  recorder: BatchRecorder<FinishedMail>;
  /** Claims are identified by when they were made. */
  lostClaims: LostClaims<Date>;
  /** To the endpoints of subscribers, who are notified at the same time as those by email. */
  deliveries: SubscriberDeliveries;
  /** To the browsers of members, who are notified at the same time as by email, and without it. */
  pushes: Pushes;
  serviceName: string;
  notices: NoticeSettings;
  wake: Wake;
  log: Logger;
};

/** Mails of these kinds come again and again: mail programs recognize them by the ID of their list. */
const LISTS: readonly string[] = ['alert', 'digest', 'report', 'subscriber'];

const MIN_SLEEP_MS = 20;
/** How late mail goes out that a crashed worker had claimed. */
const MAX_QUIET_MS = 2000;
/** Mail that could not be sent for this long, because no worker ran or email was off, is outdated. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** Creates the mail engine of a process; its connection pool opens on demand. */
export function createMailEngine({
  smtp,
  observer,
  ...engine
}: Omit<
  MailEngine,
  'transport' | 'slots' | 'recorder' | 'lostClaims' | 'deliveries' | 'pushes' | 'wake' | 'moments'
> & {
  smtp: () => SmtpSettings | null;
  observer?: RecordingObserver<FinishedMail> | undefined;
}): MailEngine {
  const { services, workerId, log } = engine;
  const wake = createWake();
  return {
    ...engine,
    moments: createMoments(services.db),
    wake,
    transport: createCurrentTransport(smtp),
    slots: createSlots(MAIL_CONNECTIONS, wake.ring),
    recorder: createMailRecorder(services, log, observer),
    deliveries: createSubscriberDeliveries(engine, wake.ring),
    pushes: createPushes(engine, wake.ring),
    lostClaims: createLostClaims((takenAt) => giveBackClaims(services.db, MAIL, { workerId, takenAt })),
  };
}

/** Writes mails and messages for gathered notices, and sends what is due until `until`, mails while email is on; running attempts continue. */
export function drainDueMail(engine: MailEngine, { until, signal }: { until: Date; signal: AbortSignal }) {
  const { services, slots, notices, log } = engine;
  const drain = {
    name: 'mail',
    minSleepMs: MIN_SLEEP_MS,
    maxQuietMs: MAX_QUIET_MS,
    startDue: async () => {
      await runSideWork(engine, 'notices to members', () => mailDueNotices({ ...services, log }, notices));
      await runSideWork(engine, 'notifications of browsers', () => startDuePushes(engine.pushes));
      if (!services.mail.isOn) return false;
      await runSideWork(engine, 'notices to subscribers', () =>
        mailDuePageNotices({ ...services, log }, notices),
      );
      await runSideWork(engine, 'deliveries to subscribers', () =>
        startSubscriberDeliveries(engine.deliveries),
      );
      return (await startDueMail(engine)) > 0;
    },
    nextDueAt: () => mailDueAt(engine, { hasSlot: slots.free() > 0 }),
  };
  return drainUntil(engine, drain, { until, signal });
}

/** When the first notice, message or unclaimed mail is due; null: none. Without a slot, or while email is off, mail is ignored. */
export async function mailDueAt(
  {
    services,
    moments,
    notices,
    deliveries,
    pushes,
  }: Pick<MailEngine, 'services' | 'moments' | 'notices' | 'deliveries' | 'pushes'>,
  { hasSlot }: { hasSlot: boolean },
): Promise<Date | null> {
  const { isOn } = services.mail;
  const now = services.clock.now();
  return earliest(
    await Promise.all([
      moments(nextNoticesAt(memberNotices({ isOn }), notices)),
      pushes.slots.free() > 0 ? moments(nextPushAt(now)) : null,
      isOn ? moments(nextNoticesAt(PAGE_NOTICES, notices)) : null,
      isOn && hasSlot ? moments(nextMailAt(now)) : null,
      isOn && deliveries.slots.free() > 0 ? moments(nextSubscriberDeliveryAt(now)) : null,
    ]),
  );
}

/** Claims due mail and starts sending it; returns how many attempts were started. */
export async function startDueMail(engine: MailEngine): Promise<number> {
  const { services, workerId, slots, lostClaims, log } = engine;
  const limit = slots.free();
  if (limit <= 0) return 0;
  await lostClaims.release();
  const now = services.clock.now();
  const claimed = await lostClaims.track([now], () => claimDueMail(services, { limit, workerId, now }));
  for (const mail of claimed) {
    slots.run(() =>
      attempt(engine, mail).catch((error: unknown) => {
        const fields = { error: describeError(error), mail: mail.id };
        log.error(fields, 'an attempt to send mail failed to run; its lease will expire');
      }),
    );
  }
  return claimed.length;
}

async function attempt(engine: MailEngine, mail: ClaimedMail): Promise<void> {
  const outcome = await send(engine, mail);
  const finished = finishMail(mail, outcome, engine.services.clock.now());
  const isRecorded = await engine.recorder.add(finished);
  if (!isRecorded) return;
  const { id, kind } = mail;
  const fields = { mail: id, kind, error: finished.error };
  switch (finished.end.end) {
    case 'done':
      return writeJournal([
        { message: 'email sent', id, as: kind, fields: { mail: id, kind, attempt: mail.attempt } },
      ]);
    case 'failed':
      return engine.log.error(fields, 'could not send a mail');
    case 'retry':
      return engine.log.warn(fields, 'could not send a mail yet; retrying later');
  }
}

async function send(
  { services, transport, serviceName }: MailEngine,
  mail: ClaimedMail,
): Promise<MailOutcome> {
  const { clock, keyring } = services;
  const now = clock.now();
  if (now.getTime() - mail.createdAt.getTime() > STALE_MS) {
    return { sent: false, isFinal: true, error: 'not sent within a day' };
  }
  let content: MailContent;
  let thread: MailThread | null;
  try {
    thread = mailThreadSchema.nullable().parse(mail.thread);
    content = mailContentSchema.parse(JSON.parse(keyring.open(mail.contentSealed, mail.id)));
  } catch (error) {
    return { sent: false, isFinal: true, error: `could not read its content: ${describeError(error)}` };
  }
  return transport.send({
    ...renderMail(content, { serviceName, thread }),
    id: mail.id,
    thread,
    list: listOf(mail),
    to: mail.recipient,
    date: now,
  });
}

function listOf({ kind, organizationId }: ClaimedMail): string | null {
  return organizationId !== null && LISTS.includes(kind) ? `${kind}.${organizationId}` : null;
}
