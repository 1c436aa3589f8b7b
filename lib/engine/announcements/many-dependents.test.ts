import { expect, it, onTestFinished } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { createId } from '@/lib/core/ids';
import { createLogger } from '@/lib/core/logger';
import { createEngine } from '@/lib/engine/create-engine';
import { simulateNetwork } from '@/lib/engine/testing/simulated-network';
import { listen } from '@/lib/platform/db/listen';
import { useTestDatabase } from '@/lib/testing/database';
import { startMailServer } from '@/lib/testing/mailbox';
import { startReceiver } from '@/lib/testing/receiver';
import { beginDependencies } from './testing/dependency-story';

const database = useTestDatabase();
/** Half of the thorough ones are more than a batch of held announcements. */
const MONITORS = sized(40, { thorough: 1100 });
const MEMBERS = 3;
/** After the transition of the gateway, for everything, on the clock that the test turns. */
const SENT_WITHIN_MS = 10_000;
/** The default. */
const GROUP_SECONDS = 60;
const TICK_MS = 50;

/** Sends what the story causes to real receivers, with two more members, until the test ends. */
async function begin() {
  const [standard, chat, mail] = [await startReceiver(), await startReceiver(), await startMailServer()];
  const names = Array.from({ length: MONITORS }, (_, index) => `Shop ${index}`);
  const urls = { standard: standard.url, chat: chat.url };
  const story = await beginDependencies(database.db, { names, urls, gateway: { timeout: 10 } });
  const { services, clock, organizationId } = story;
  for (let member = 1; member < MEMBERS; member++) {
    const [userId, createdAt] = [createId('user'), clock.now()];
    const email = `member-${member}@example.com`;
    await database.db.user.create({
      data: { id: userId, email, passwordHash: '', createdAt, updatedAt: createdAt },
    });
    await database.db.membership.create({ data: { organizationId, userId, role: 'member', createdAt } });
  }
  await story.check([]);
  const engine = createEngine({
    workerId: 'wrk_test',
    services,
    serviceName: 'Pharos',
    checkConcurrency: 1,
    dnsServers: [],
    network: simulateNetwork([]).network,
    mail: {
      smtp: () => ({ url: mail.url, from: { name: 'Pharos', address: 'pharos@example.com' } }),
      notices: { groupSeconds: GROUP_SECONDS, appUrl: null },
    },
    domainsNeedProof: true,
    onCutOff: () => undefined,
    log: createLogger('silent', 'test'),
  });
  const until = new Date(clock.now().getTime() + 3_600_000);
  // As in a worker: what a job has written is sent at once.
  const listening = listen(database.url, ['pharos_deliveries', 'pharos_mail'], {
    onNotify: (channel) => (channel === 'pharos_mail' ? engine.wakeMail() : engine.wakeDeliveries()),
    log: createLogger('silent', 'test'),
  });
  engine.startTimetable();
  const draining = [engine.drainDeliveries(until), engine.drainMail?.(until)];
  onTestFinished(async () => {
    await engine.stop(5000);
    await Promise.all(draining);
    await Promise.all([listening.stop(), standard.close(), chat.close(), mail.close()]);
  });
  const count = (event: string) =>
    standard.requests.filter(({ headers }) => headers['x-service-event'] === event).length;
  return { ...story, names, count, chat, mail };
}

it(`${MONITORS} monitors behind one gateway are one chat message and one email per member, down and up`, async () => {
  const { names, check, clock, count, chat, mail, held } = await begin();
  const [before, after] = [names.slice(0, MONITORS / 2), names.slice(MONITORS / 2)];
  /** Turns the clock on until everything is due, and resolves once everything is sent: nothing waits for a later moment. */
  const everything = async (event: string, messages: number) => {
    let passed = 0;
    const ticking = setInterval(() => {
      if (passed < SENT_WITHIN_MS) clock.advance(TICK_MS);
      passed += TICK_MS;
    }, TICK_MS);
    await expect.poll(() => count(event)).toBe(MONITORS + 1);
    await expect
      .poll(() => [chat.requests.length, mail.mails.length])
      .toEqual([messages, messages * MEMBERS]);
    clearInterval(ticking);
  };

  // Half of them notice before the gateway does.
  await check(before, { only: before });
  await check(['Gateway'], { afterMs: 1000, only: ['Gateway'] });
  await check(after, { afterMs: 1000, only: after });
  await everything('monitor.down', 1);
  expect(chat.requests[0]?.body).toContain(`Gateway is down, and ${MONITORS} that depend on it`);
  for (const { parsed } of mail.mails) {
    expect(parsed.subject).toBe(`Gateway is down, and ${MONITORS} that depend on it`);
  }
  expect(new Set(mail.mails.flatMap(({ to }) => to)).size).toBe(MEMBERS);

  await check(names, { only: ['Gateway'] });
  await check([], { afterMs: 1000, only: names });
  await everything('monitor.up', 2);
  expect(chat.requests[1]?.body).toContain('Gateway is up after ');
  expect((await held()).every(({ endedAt }) => endedAt !== null)).toBe(true);
});
