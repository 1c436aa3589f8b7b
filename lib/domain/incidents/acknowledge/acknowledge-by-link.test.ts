import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import {
  type AcknowledgeLink,
  acknowledgeLinkSchema,
  MAX_LINKED_INCIDENTS,
} from '@/lib/schemas/incidents/acknowledge-link';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { updateIncident } from '../change-incident';
import { createIncident } from '../create-incident';
import { getIncident } from '../read-incidents';
import { acknowledgeByLink, readLinkedIncidents } from './acknowledge-by-link';
import { unacknowledgeIncident } from './acknowledge-incident';
import { acknowledgeUrl } from './acknowledge-link';

const NOW = new Date('2026-03-10T18:00:00.000Z');
const DAY = 86_400_000;

const database = useSharedDatabase();

/** An owner, their open incidents, and the links in their emails. */
async function begin(count = 1) {
  const clock = createManualClock(NOW);
  const services = createTestServices({ db: database.db, clock });
  const { ctx, organizationId } = await createTestOrganization(services);
  const { userId } = await database.db.membership.findFirstOrThrow({ where: { organizationId } });
  const incidents = [];
  for (let each = 0; each < count; each++) {
    incidents.push(await createIncident(ctx, createIncidentSchema.parse({ title: `Shop ${each} is slow` })));
  }
  const incidentIds = incidents.map(({ id }) => id);
  const linkOf = (fields: { incidentIds?: string[]; userId?: string } = {}): AcknowledgeLink => {
    const url = acknowledgeUrl(services.keyring, 'https://x.test', {
      incidentIds,
      userId,
      now: NOW,
      ...fields,
    });
    return acknowledgeLinkSchema.parse(Object.fromEntries(new URL(url).searchParams));
  };
  const { db } = services;
  return {
    clock,
    services,
    ctx,
    userId,
    organizationId,
    incidentIds,
    link: linkOf(),
    linkOf,
    press: (link = linkOf()) => acknowledgeByLink(services, link, '203.0.113.1'),
    readBy: async () => {
      const all = await Promise.all(incidentIds.map((id) => getIncident(ctx, id)));
      return all.map(({ acknowledgedBy }) => acknowledgedBy);
    },
    email: (await db.user.findUniqueOrThrow({ where: { id: userId } })).email,
  };
}

describe('the link in an alert', () => {
  it('acknowledges its incidents for its member, as the audit log says', async () => {
    const { press, readBy, email, organizationId } = await begin(2);
    await press();
    expect(await readBy()).toEqual([email, email]);
    const entries = await database.db.auditEntry.findMany({
      where: { organizationId, action: 'incident.acknowledge' },
    });
    expect(entries.map(({ actorKind, address }) => [actorKind, address])).toEqual([
      ['user', '203.0.113.1'],
      ['user', '203.0.113.1'],
    ]);
  });

  it('works once: after that it does nothing, also if the acknowledgement was withdrawn', async () => {
    const { press, readBy, ctx, incidentIds, services, link } = await begin();
    await press();
    await unacknowledgeIncident(ctx, incidentIds[0] ?? '');
    expect(await readLinkedIncidents(services, link)).toMatchObject([{ isUsed: true, acknowledgedBy: null }]);
    await expect(press()).rejects.toThrow('already used');
    expect(await readBy()).toEqual([null]);
  });

  it('is used once when it is pressed many times at once', async () => {
    const { press, email, readBy, organizationId } = await begin();
    const pressed = await Promise.allSettled(Array.from({ length: 8 }, () => press()));
    expect(pressed.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await readBy()).toEqual([email]);
    const where = { organizationId, action: 'incident.acknowledge' };
    expect(await database.db.auditEntry.count({ where })).toBe(1);
  });

  it('leaves out what is resolved', async () => {
    const { press, readBy, ctx, incidentIds, email } = await begin(2);
    await updateIncident(ctx, incidentIds[0] ?? '', { status: 'resolved' });
    await press();
    expect(await readBy()).toEqual([null, email]);
    await expect(press()).rejects.toThrow('resolved');
  });

  it('is not valid after seven days', async () => {
    const { press, clock } = await begin();
    clock.advance(7 * DAY - 1000);
    const story = await begin();
    story.clock.advance(7 * DAY);
    await expect(story.press()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await press();
  });

  it.each(['incidents', 'user', 'expires', 'token'] as const)(
    'is not valid with another %s',
    async (name) => {
      const [mine, other] = [await begin(), await begin()];
      const forged = { ...mine.link, [name]: name === 'expires' ? mine.link.expires + 1 : other.link[name] };
      await expect(mine.press(forged)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await mine.readBy()).toEqual([null]);
    },
  );

  it('is not valid for who left the organization or may only read, nor for incidents of another one', async () => {
    const [mine, other] = [await begin(), await begin()];
    const foreign = mine.linkOf({ incidentIds: other.incidentIds });
    await expect(mine.press(foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { userId } = mine;
    await database.db.membership.updateMany({ where: { userId }, data: { role: 'viewer' } });
    await expect(mine.press()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await database.db.membership.deleteMany({ where: { userId } });
    await expect(mine.press()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect([...(await mine.readBy()), ...(await other.readBy())]).toEqual([null, null]);
  });

  it(`is for at most ${MAX_LINKED_INCIDENTS} incidents`, async () => {
    const { linkOf } = await begin();
    const incidentIds = Array.from({ length: 100 }, (_, each) => `inc_${String(each).padStart(26, '0')}`);
    expect(linkOf({ incidentIds }).incidents.split(',')).toEqual(incidentIds.slice(0, MAX_LINKED_INCIDENTS));
  });
});
