import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { SecondFactorNeeded } from '@/lib/domain/context/recent-factor';
import { acknowledgeIncident } from '@/lib/domain/incidents/acknowledge/acknowledge-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { addIncidentUpdate } from '@/lib/domain/incidents/schedule/schedule-update';
import { inviteMember } from '@/lib/domain/members/invitations';
import { createTestTeam, type TestPerson } from '@/lib/domain/members/testing/people';
import { createCorrection } from '@/lib/domain/monitors/corrections/change-corrections';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createSession, findSession } from '@/lib/domain/people/sessions';
import { createIncidentSchema, createIncidentUpdateSchema } from '@/lib/schemas/incidents/incident';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { deleteAccount, deleteAccountByOperator } from './delete-account';
import { exportAccount } from './export-account';

const HOUR = 3_600_000;
const START = new Date('2026-03-10T12:00:00.000Z');
const database = useTestDatabase();
const clock = createManualClock(START);
const services = () => createTestServices({ db: database.db, clock, mail: true });

/** A deletion as the person requests it. */
const remove = ({ id, email }: { id: string; email: string }, isFactorStale = false) =>
  deleteAccount(services(), { userId: id, isFactorStale, confirmation: email, address: '203.0.113.9' });

/** The columns of all tables in which a text occurs. */
async function listColumnsWith(text: string): Promise<string[]> {
  const columns = await database.db.$queryRaw<{ table: string; column: string }[]>`
    SELECT format('%I.%I', table_schema, table_name) AS "table", column_name AS "column"
      FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema IN ('public', 'raw') AND table_type = 'BASE TABLE'
       AND data_type IN ('text', 'character varying', 'json', 'jsonb', 'ARRAY')`;
  expect(columns.length).toBeGreaterThan(100);
  const found: string[] = [];
  for (const { table, column } of columns) {
    const rows = await database.db.$queryRawUnsafe<unknown[]>(
      `SELECT 1 FROM ${table} WHERE strpos("${column}"::text, $1) > 0 LIMIT 1`,
      text,
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found.sort();
}

/** Leaves the person's name wherever a person can. */
async function leaveTraces({ id: userId, email, ctx }: TestPerson): Promise<{ incidentId: string }> {
  const incident = await createIncident(ctx, createIncidentSchema.parse({ title: 'Shop is slow' }));
  await acknowledgeIncident(ctx, incident.id);
  const update = (fields: object) =>
    addIncidentUpdate(
      ctx,
      incident.id,
      createIncidentUpdateSchema.parse({ message: 'We look into it.', ...fields }),
    );
  await update({});
  await update({ publishAt: new Date(clock.now().getTime() + HOUR).toISOString() });
  const monitor = await createMonitor(
    ctx,
    createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' }),
  );
  clock.advance(2 * HOUR);
  const [from, to] = [2 * HOUR, HOUR].map((ms) => new Date(clock.now().getTime() - ms));
  await createCorrection(ctx, monitor.id, {
    from: from as Date,
    to: to as Date,
    state: 'maintenance',
    reason: 'The probe was wrong',
  });
  await inviteMember(ctx, { email: 'next@example.com', role: 'viewer' }, { baseUrl: 'https://pharos.test' });
  await createSession(services(), { userId, address: '203.0.113.9', userAgent: 'Firefox' });
  const queued = { recipient: email, contentSealed: new Uint8Array(1), createdAt: clock.now() };
  await database.db.mail.create({
    data: { id: `mail_${userId}`, kind: 'alert', ...queued, nextAttemptAt: clock.now() },
  });
  return { incidentId: incident.id };
}

describe('an account that is deleted', () => {
  it('leaves its name nowhere, and everything it did under “Deleted account”', async () => {
    const team = await createTestTeam(services());
    const leaver = await team.add('admin');
    const { incidentId } = await leaveTraces(leaver);
    const before = await listColumnsWith(leaver.email);
    for (const column of ['audit_entry.actor_label', 'incident.acknowledged_by', 'incident_update.author']) {
      expect(before).toContain(`public.${column}`);
    }
    expect(before).toEqual(
      expect.arrayContaining(['public.ledger_correction.author', 'public.scheduled_update.author']),
    );

    await remove(leaver);
    // The last email, and events until they expire.
    const kept = ['public.mail.recipient', 'public.outbox_event.payload'];
    expect((await listColumnsWith(leaver.email)).filter((column) => !kept.includes(column))).toEqual([]);
    expect(await listColumnsWith('203.0.113.9')).toEqual([]);
    const mails = await database.db.mail.findMany({ where: { recipient: leaver.email } });
    expect(mails.map(({ kind }) => kind)).toEqual(['account-security']);
    const incident = await database.db.incident.findUniqueOrThrow({ where: { id: incidentId } });
    expect(incident.acknowledgedBy).toBe('Deleted account');
    const [last] = await database.db.auditEntry.findMany({ orderBy: { number: 'desc' }, take: 1 });
    expect(last).toMatchObject({
      action: 'member.leave',
      actorLabel: 'Deleted account',
      subjectLabel: 'Deleted account',
    });
    expect(await team.roles()).toEqual({ [team.owner.id]: 'owner' });
  });

  it('also loses the addresses it had before', async () => {
    const team = await createTestTeam(services());
    const leaver = await team.add('member');
    await createIncident(leaver.ctx, createIncidentSchema.parse({ title: 'Shop is slow' }));
    const email = `new-${leaver.email}`;
    await database.db.user.update({ where: { id: leaver.id }, data: { email } });
    await remove({ ...leaver, email });
    expect(
      (await listColumnsWith(leaver.email)).filter((column) => column !== 'public.mail.recipient'),
    ).toEqual([]);
  });

  it('ends its sessions and the links it handed out at once', async () => {
    const team = await createTestTeam(services());
    const leaver = await team.add('admin');
    const sessionId = await createSession(services(), { userId: leaver.id, address: null, userAgent: null });
    await inviteMember(
      leaver.ctx,
      { email: 'other@example.com', role: 'viewer' },
      { baseUrl: 'https://pharos.test' },
    );
    await remove(leaver);
    expect(await findSession(services(), sessionId)).toBeNull();
    expect(await database.db.oneTimeToken.count({ where: { organizationId: team.organizationId } })).toBe(0);
  });

  it('changes nothing of others, in the same organization and elsewhere', async () => {
    const [team, other] = [await createTestTeam(services()), await createTestTeam(services())];
    const [leaver, stayer] = [await team.add('admin'), await team.add('admin')];
    await leaveTraces(stayer);
    const deeds = () =>
      database.db.auditEntry.findMany({
        where: { OR: [{ actorId: stayer.id }, { organizationId: other.organizationId }] },
        orderBy: { number: 'asc' },
      });
    const before = [await deeds(), await listColumnsWith(stayer.email)];
    await remove(leaver);
    expect([await deeds(), await listColumnsWith(stayer.email)]).toEqual(before);
  });

  it('must not leave an organization without an owner, also if two owners delete theirs at the same moment', async () => {
    const team = await createTestTeam(services());
    const refused = { code: 'VALIDATION_ERROR', message: expect.stringContaining('only owner of Test') };
    await expect(remove(team.owner)).rejects.toMatchObject(refused);
    const second = await team.add('owner');
    const outcomes = await Promise.allSettled([remove(team.owner), remove(second)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(Object.values(await team.roles())).toEqual(['owner']);
  });

  it('requires its address, and the second factor if there is one', async () => {
    const team = await createTestTeam(services());
    const person = await team.add('viewer');
    await expect(remove({ id: person.id, email: 'other@example.com' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'confirmation' }],
    });
    await expect(remove(person, true)).rejects.toBeInstanceOf(SecondFactorNeeded);
    await remove({ id: person.id, email: ` ${person.email.toUpperCase()} ` });
    await expect(deleteAccountByOperator(services(), person.email)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('the export of an account', () => {
  it('has everything about the person, and no secret', async () => {
    const team = await createTestTeam(services());
    const person = await team.add('admin');
    await leaveTraces(person);
    const exported = await exportAccount(database.db, person.id);
    expect(exported).toMatchObject({
      id: person.id,
      email: person.email,
      hasPassword: true,
      memberships: [{ role: 'admin', organization: { id: team.organizationId, name: 'Test' } }],
      sessions: [{ userAgent: 'Firefox', address: '203.0.113.9' }],
      emails: [{ kind: 'alert' }],
    });
    expect(exported.activity.map(({ action }) => action)).toContain('incident.acknowledge');
    expect(JSON.stringify(exported)).not.toMatch(/passwordHash|hash"|sealed|no password/i);
    await expect(exportAccount(database.db, 'usr_none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
