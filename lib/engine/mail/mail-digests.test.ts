import { beforeEach, describe, expect, it } from 'vitest';
import { copyMonitor, storeChecks, writeLedger } from '@/lib/domain/monitors/testing/history';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { renderMail } from '@/lib/platform/mail/render-mail';
import { wordsOf } from '@/lib/platform/mail/testing/words-of';
import { useTestDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { mailDueDigests } from './mail-digests';
import { beginDigestStory, DAY, type DigestStory, HOUR, MONDAY, START } from './testing/digest-story';

const database = useTestDatabase();
let story: DigestStory;

beforeEach(async () => {
  await database.db.digestMail.deleteMany();
  story = await beginDigestStory(database.db);
});

describe('the digest', () => {
  it('is off until a member chooses it, and then sent each Monday at eight', async () => {
    await story.addMonitor('Shop');
    story.clock.set(MONDAY);
    expect(await mailDueDigests(story.services)).toBe(0);
    story.clock.set(START);
    await story.choose();
    story.clock.set(new Date(MONDAY.getTime() - 1));
    expect(await mailDueDigests(story.services)).toBe(0);
    story.clock.set(MONDAY);
    expect(await mailDueDigests(story.services)).toBe(1);
    expect(await mailDueDigests(story.services)).toBe(0);
    story.clock.set(new Date(MONDAY.getTime() + 7 * DAY));
    await mailDueDigests(story.services);
    expect((await story.listMails()).map(({ subject }) => subject)).toEqual([
      'Test, Nov 23 – 29: 100% uptime, 0 incidents',
      'Test, Nov 30 – Dec 6: 100% uptime, 0 incidents',
    ]);
    await story.choose(null);
    story.clock.set(new Date(MONDAY.getTime() + 14 * DAY));
    expect(await mailDueDigests(story.services)).toBe(0);
  });

  it('has uptime, the lowest five, incidents with the longest, slow monitors, and certificates that end', async () => {
    for (let hours = 1; hours <= 6; hours++) await story.addMonitor(`Down ${hours}`, hours);
    const shop = await story.addMonitor('Shop');
    await story.addIncident('Before', new Date('2026-11-22T23:00:00.000Z'), 40);
    await story.addIncident('Short', new Date('2026-11-24T00:00:00.000Z'), 1);
    await story.addIncident('Long', new Date('2026-11-25T00:00:00.000Z'), 30);
    await story.addIncident('Open', new Date('2026-11-29T00:00:00.000Z'), null);
    await database.db.monitor.update({ where: { id: shop }, data: { enabled: true } });
    const { machine } = await database.db.monitorState.findUniqueOrThrow({ where: { monitorId: shop } });
    const certificateExpiresAt = MONDAY.getTime() + 12 * DAY + HOUR;
    const regions = { 'us-east': { latest: { certificateExpiresAt } }, 'eu-west': { latest: null } };
    await database.db.monitorState.update({
      where: { monitorId: shop },
      data: { machine: { ...(machine as object), regions } },
    });
    const checked = {
      since: new Date('2026-11-24T10:00:00.000Z'),
      now: new Date('2026-11-24T12:00:00.000Z'),
    };
    await ensureResultPartitions(database.db, checked.since);
    await storeChecks(database.db, [shop], { ...checked, everySeconds: 30, regions: 1 });
    await story.choose();
    story.clock.set(MONDAY);
    await mailDueDigests(story.services);
    const [mail] = await story.listMails();
    if (!mail) throw new Error('no digest');
    const { to: _, ...content } = mail;
    const { text, html } = renderMail(content, { serviceName: 'Pharos' });
    expect(wordsOf.html(html)).toEqual(wordsOf.text(text));
    expect(text.replace(/\s+https:\S+/g, '')).toBe(`Test, Nov 23 – 29: 98.033% uptime, 3 incidents

7 monitors were up 98.033% of the time, with 21h of downtime in 6 outages.

Lowest uptime

- Down 6: 96.428%, 6h of downtime in 1 outage
- Down 5: 97.023%, 5h of downtime in 1 outage
- Down 4: 97.619%, 4h of downtime in 1 outage
- Down 3: 98.214%, 3h of downtime in 1 outage
- Down 2: 98.809%, 2h of downtime in 1 outage

Incidents

3 incidents began; 1 is still open. The longest:

- Long: lasted 1d 6h

Slowest monitors

- Shop: 95% of responses within 98 ms, half within 61 ms

Certificates that expire within 30 days

- Shop: expires on Dec 12, 2026, in 12 days

View report:

-- 
Pharos
You receive this email because you chose the weekly digest of Test.
Turn off the weekly digest:
`);
  });

  it('is not sent for an organization without monitors, nor while email is off', async () => {
    await story.choose();
    story.clock.set(MONDAY);
    await mailDueDigests({ ...story.services, mail: { isOn: false } });
    expect(await mailDueDigests(story.services)).toBe(1);
    expect(await mailDueDigests(story.services)).toBe(0);
    expect(await story.listMails()).toEqual([]);
  });

  it('is not sent when it is more than a day late; the next one is on time', async () => {
    await story.addMonitor('Shop');
    await story.choose();
    story.clock.set(new Date(MONDAY.getTime() + DAY + 1));
    await mailDueDigests(story.services);
    expect(await story.listMails()).toEqual([]);
    story.clock.set(new Date(MONDAY.getTime() + 8 * DAY));
    await mailDueDigests(story.services);
    expect(await story.listMails()).toHaveLength(1);
  });

  it('is of the week of each reader, and says how to turn it off', async () => {
    await story.addMonitor('Shop');
    await story.choose('Europe/Berlin');
    await story.addMember('Pacific/Auckland');
    story.clock.set(new Date('2026-11-29T19:00:00.000Z'));
    expect(await mailDueDigests(story.services)).toBe(1);
    story.clock.set(MONDAY);
    expect(await mailDueDigests(story.services)).toBe(1);
    const mails = await story.listMails();
    const query = (timeZone: string) =>
      `https://pharos.test/reports?month=days&from=2026-11-23&to=2026-11-29&timeZone=${timeZone}`;
    expect(mails.map(({ button }) => button?.url)).toEqual([
      query('Pacific%2FAuckland'),
      query('Europe%2FBerlin'),
    ]);
    for (const { unsubscribeUrl, unsubscribeLabel } of mails) {
      expect(unsubscribeUrl).toContain('&list=digest&token=');
      expect(unsubscribeLabel).toBe('Turn off the weekly digest');
    }
  });
});

it('a thousand monitors take a fixed number of statements, once for all members of a time zone', async () => {
  const id = await story.addMonitor('Shop');
  const ids = [id, ...(await copyMonitor(database.db, id, 999))];
  await writeLedger(database.db, ids, { since: START, now: MONDAY, changes: 20 });
  await story.choose();
  for (let member = 0; member < 9; member++) await story.addMember('UTC');
  story.clock.set(MONDAY);
  const counting = openCountingDatabase(database.url);
  const before = process.cpuUsage();
  const statements = await counting.count(() => mailDueDigests(story.servicesOn(counting.db)));
  const { user, system } = process.cpuUsage(before);
  await counting.db.$disconnect();
  expect(await story.listMails()).toHaveLength(10);
  // Ten are the response times of a hundred monitors each.
  expect(statements).toBeLessThan(35);
  expect((user + system) / 1000).toBeLessThan(5000);
});
