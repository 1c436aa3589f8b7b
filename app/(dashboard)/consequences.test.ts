import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSourceFiles } from '@/bin/lint/source-files.mjs';
import { KEY_WORDS } from '@/components/api-keys/consequences';
import { TEMPLATE_DELETION, UPDATE_CANCELLATION } from '@/components/incidents/consequences';
import { audienceOf } from '@/components/incidents/shown-on';
import { formatWindowDeletion } from '@/components/maintenance/consequences';
import {
  formatFactorReset,
  INVITATION_REVOCATION,
  LEAVING,
  MEMBER_REMOVAL,
  OWNERSHIP_TRANSFER,
} from '@/components/members/consequences';
import { CORRECTION_DELETION } from '@/components/monitors/corrections/consequences';
import { formatUrlReplacement } from '@/components/monitors/heartbeat/consequences';
import {
  ENDPOINT_DELETION,
  RECIPIENT_DELETION,
  SECRET_REPLACEMENT,
} from '@/components/notifications/consequences';
import { ORGANIZATION_DELETION } from '@/components/organization/consequences';
import { CONFIRMED_IMPORT, PAGE_DELETION, PAGE_TOKEN_WORDS } from '@/components/page-editor/consequences';
import {
  ACCOUNT_DELETION,
  CODES_RENEWAL,
  formatAppRemoval,
  formatPasskeyRemoval,
} from '@/components/profile/consequences';
import { PROBE_TOKEN_WORDS, REGION_DELETION } from '@/components/regions/consequences';
import { formatRotation } from '@/components/ui/credential-consequences';
import { createId } from '@/lib/core/ids';
import { createManualClock } from '@/lib/core/time/clock';
import { issueApiKey, revokeApiKey, rotateApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { createWorld, inputs, UNPROVED } from '@/lib/domain/context/testing/world';
import { createEmailRecipient, deleteEmailRecipient } from '@/lib/domain/email-recipients/change-recipients';
import { confirmRecipient } from '@/lib/domain/email-recipients/confirm-recipient';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { cancelScheduledUpdate } from '@/lib/domain/incidents/schedule/schedule-update';
import { deleteIncidentTemplate } from '@/lib/domain/incidents/templates/change-templates';
import { deleteMaintenance } from '@/lib/domain/maintenance/change-maintenance';
import { getMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { readInvitation } from '@/lib/domain/members/accept-invitation';
import { leaveOrganization, removeMember, transferOwnership } from '@/lib/domain/members/change-members';
import { inviteMember, listInvitations, revokeInvitation } from '@/lib/domain/members/invitations';
import { createTestTeam, type TestPerson } from '@/lib/domain/members/testing/people';
import { deleteCorrection } from '@/lib/domain/monitors/corrections/change-corrections';
import { readHeartbeat } from '@/lib/domain/monitors/heartbeats/read-heartbeat';
import { rotateHeartbeat } from '@/lib/domain/monitors/heartbeats/rotate-heartbeat';
import { deleteOrganization } from '@/lib/domain/organizations/change-organization';
import { deleteAccount } from '@/lib/domain/people/account/delete-account';
import { listPasskeys } from '@/lib/domain/people/passkeys/own-passkeys';
import { beginStory as beginPasskeyStory } from '@/lib/domain/people/passkeys/testing/passkey-story';
import {
  beginEnrollment,
  confirmEnrollment,
  readSecondFactor,
  removeApp,
  renewRecoveryCodes,
} from '@/lib/domain/people/second-factor/enroll-second-factor';
import { readFactors } from '@/lib/domain/people/second-factor/has-second-factor';
import { RECOVERY_CODES } from '@/lib/domain/people/second-factor/recovery-codes';
import { resetSecondFactor } from '@/lib/domain/people/second-factor/reset-second-factor';
import { totpCode } from '@/lib/domain/people/second-factor/totp';
import { consumeSecondFactor } from '@/lib/domain/people/second-factor/use-second-factor';
import { createSession } from '@/lib/domain/people/sessions';
import { decideSignIn } from '@/lib/domain/people/sign-in/decide-sign-in';
import { authenticateProbe } from '@/lib/domain/probe-tokens/probe-tokens';
import { deleteRegion } from '@/lib/domain/regions/change-region';
import { createRegionToken, revokeRegionToken } from '@/lib/domain/regions/region-tokens';
import { createPageToken, isPageToken, revokePageToken } from '@/lib/domain/status-pages/access/page-tokens';
import { createStatusPage, deleteStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import { confirmImported } from '@/lib/domain/subscribers/import/confirm-imported';
import { importSubscribers } from '@/lib/domain/subscribers/import/import-subscribers';
import { removeSubscriber } from '@/lib/domain/subscribers/read-subscribers';
import { findSubscription, unsubscribe } from '@/lib/domain/subscribers/subscription';
import { isUnsubscribeToken } from '@/lib/domain/subscribers/unsubscribe-link';
import { deleteWebhook, rotateSecret } from '@/lib/domain/webhooks/change-webhook';
import { testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { openSigningSecrets } from '@/lib/domain/webhooks/sign';
import { beginCalls } from '@/lib/engine/heartbeats/testing/call-story';
import { findRecipients } from '@/lib/engine/mail/recipients';
import { beginSubscriberStory, HOUR, MINUTE } from '@/lib/engine/mail/testing/subscriber-story';
import { runIncidentSchedule } from '@/lib/engine/upkeep/run-incident-schedule';
import { runMaintenanceWindows } from '@/lib/engine/upkeep/run-maintenance-windows';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { rotateApiKeySchema } from '@/lib/schemas/api-key';
import { createEmailRecipientSchema } from '@/lib/schemas/email-recipient';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { authenticateApiKey } from '@/lib/web/auth/authenticate-api-key';

const database = useTestDatabase();
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOW = new Date('2026-11-25T12:00:00.000Z');
const AT = { baseUrl: 'https://pharos.example' };

async function begin() {
  const clock = createManualClock(NOW);
  const services = createTestServices({ db: database.db, clock, mail: true });
  const team = await createTestTeam(services);
  const { ctx } = team.owner;
  return { clock, services, team, ctx, world: createWorld(ctx) };
}

/** Whether it succeeds. */
const works = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

describe('keys and tokens', () => {
  it.each([
    ['that never expires', null, 24, 'The old key keeps working for 24 hours.'],
    ['that expires in two days', 48, 24, 'The old key keeps working for 24 hours.'],
    [
      'that expires in an hour',
      1,
      1,
      'The old key keeps working until it expires, which is in less than 24 hours.',
    ],
  ])('a key %s: the old one ends as its rotation says', async (_, hours, worksFor, sentence) => {
    const { services, ctx, clock } = await begin();
    const expiresAt = hours === null ? null : new Date(NOW.getTime() + hours * HOUR);
    const old = await issueApiKey(ctx, { ...inputs.apiKey(), expiresAt });
    expect(formatRotation(KEY_WORDS, old.expiresAt, NOW.toISOString())).toBe(
      `You get a new key with the same name, scope, and lifetime. ${sentence}`,
    );
    const next = await rotateApiKey(ctx, old.id, rotateApiKeySchema.parse({}));
    expect([next.name, next.scope, next.expiresAt]).toEqual([old.name, old.scope, old.expiresAt]);
    const isAccepted = () => works(authenticateApiKey(services, `Bearer ${old.apiKey}`));
    clock.advance(worksFor * HOUR - 1);
    expect(await isAccepted()).toBe(true);
    clock.advance(1);
    expect(await isAccepted()).toBe(false);
  });

  it(`revoked ones: “${KEY_WORDS.revoke}” “${PAGE_TOKEN_WORDS.revoke}” “${PROBE_TOKEN_WORDS.revoke}”`, async () => {
    const { services, ctx, world } = await begin();
    const key = await issueApiKey(ctx, inputs.apiKey());
    const page = await createStatusPage(ctx, inputs.statusPage(), UNPROVED);
    const pageToken = await createPageToken(ctx, page.slug, { name: 'Feed' });
    const regionId = await world.region();
    const probeToken = await createRegionToken(ctx, regionId, { name: 'Rack' });
    const accepted = async () => [
      await works(authenticateApiKey(services, `Bearer ${key.apiKey}`)),
      await isPageToken(services, page.id, pageToken.token),
      await works(authenticateProbe(services, `Bearer ${probeToken.token}`)),
    ];
    expect(await accepted()).toEqual([true, true, true]);
    await revokeApiKey(ctx, key.id);
    await revokePageToken(ctx, { slug: page.slug, tokenId: pageToken.id });
    await revokeRegionToken(ctx, { regionId, tokenId: probeToken.id });
    expect(await accepted()).toEqual([false, false, false]);
  });

  it(REGION_DELETION, async () => {
    const { services, ctx, world } = await begin();
    const regionId = await world.region();
    const { token } = await createRegionToken(ctx, regionId, { name: 'Rack' });
    const monitor = await world.monitor();
    await database.db.monitor.update({ where: { id: monitor }, data: { regions: [regionId] } });
    await expect(deleteRegion(ctx, regionId)).rejects.toThrow('1 monitor is checked from this region');
    await database.db.monitor.update({ where: { id: monitor }, data: { regions: ['us-east'] } });
    await deleteRegion(ctx, regionId);
    expect(await works(authenticateProbe(services, `Bearer ${token}`))).toBe(false);
  });
});

describe('endpoints', () => {
  it(ENDPOINT_DELETION, async () => {
    const { ctx, world } = await begin();
    const endpointId = await world.webhook();
    const { id } = await testWebhook(ctx, endpointId);
    await deleteWebhook(ctx, endpointId);
    await createIncident(ctx, inputs.incident());
    const deliveries = await database.db.delivery.findMany({ where: { endpointId } });
    expect(deliveries).toMatchObject([{ id, status: 'failed', reason: 'endpoint_deleted' }]);
  });

  it(RECIPIENT_DELETION, async () => {
    const { services, ctx } = await begin();
    const mailed = () => database.db.$transaction((tx) => findRecipients(tx, services, ctx.organizationId));
    const addresses = async () => (await mailed()).map(({ to }) => to);
    const input = createEmailRecipientSchema.parse({ email: 'agency@example.com' });
    const { id } = await createEmailRecipient({ ...ctx, appUrl: AT.baseUrl }, input);
    const mail = await database.db.mail.findFirstOrThrow({ where: { recipient: input.email } });
    const { button }: MailContent = JSON.parse(
      ctx.keyring.open(mail.contentSealed ?? new Uint8Array(), mail.id),
    );
    await confirmRecipient(services, new URL(button?.url ?? '').searchParams.get('token') ?? '');
    expect(await addresses()).toContain(input.email);
    await deleteEmailRecipient(ctx, id);
    expect(await addresses()).not.toContain(input.email);
    const again = await createEmailRecipient(ctx, input);
    expect([again.status, await addresses()]).toEqual(['pending', expect.not.arrayContaining([input.email])]);
  });

  it(SECRET_REPLACEMENT, async () => {
    const { ctx, world } = await begin();
    const id = await world.rotatingWebhook();
    const { secret } = await rotateSecret(ctx, id, { immediate: true });
    const row = await database.db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
    expect(openSigningSecrets(ctx.keyring, id, row, NOW)).toEqual({ current: secret, next: null });
  });
});

it(CONFIRMED_IMPORT, async () => {
  const story = await beginSubscriberStory(database.db, { subscribers: 0 });
  const { ctx, page, services } = story;
  const declare = (...names: string[]) =>
    importSubscribers(ctx, page.slug, {
      csv: names.map((name) => `${name}@example.com`).join('\n'),
      language: 'en',
      confirmed: true,
      source: 'Statuspage',
    });
  await declare('stays', 'leaves', 'removed');
  await story.incident();
  story.clock.advance(MINUTE);
  await story.mail();
  await confirmImported(services);
  const mails = await database.db.mail.findMany({ where: { organizationId: ctx.organizationId } });
  expect(mails.map(({ kind }) => kind)).toEqual(['subscriber', 'subscriber', 'subscriber']);
  const links = new Map(
    (await story.mails()).map(({ recipient, content }) => [recipient, content.unsubscribeUrl ?? '']),
  );
  const idOf = (name: string) => {
    const query = new URL(links.get(`${name}@example.com`) ?? '').searchParams;
    const id = query.get('id') ?? '';
    expect(isUnsubscribeToken(services.keyring, { id, token: query.get('token') ?? '' })).toBe(true);
    return id;
  };
  await unsubscribe(services, idOf('leaves'));
  await removeSubscriber(ctx, page.slug, idOf('removed'));
  expect(await findSubscription(services, { id: idOf('stays'), slug: page.slug })).toMatchObject({
    subscription: { email: 'stays@example.com' },
  });
  expect(await declare('stays', 'leaves', 'removed')).toMatchObject({
    created: 0,
    refused: [{ code: 'unsubscribed' }, { code: 'unsubscribed' }],
  });
  const where = { organizationId: ctx.organizationId, action: 'subscriber.import' };
  const entry = await database.db.auditEntry.findFirstOrThrow({ where });
  expect(entry).toMatchObject({ actorKind: ctx.actor.kind, after: { source: 'Statuspage' } });
});

it(PAGE_DELETION, async () => {
  const { ctx, team, world } = await begin();
  const { slug } = await world.subscriber();
  const page = await database.db.statusPage.findUniqueOrThrow({ where: { slug } });
  await createPageToken(ctx, slug, { name: 'Feed' });
  const [monitor, incident] = [await world.monitor(), await world.incident()];
  const report = { userId: team.owner.id, timeZone: 'UTC', target: 99_900, nextAt: NOW, createdAt: NOW };
  await database.db.reportMail.create({
    data: {
      id: createId('reportMail'),
      organizationId: ctx.organizationId,
      statusPageId: page.id,
      ...report,
    },
  });
  const counts = () => {
    const of = { where: { pageId: page.id } };
    return Promise.all([
      database.db.pageSubscriber.count(of),
      database.db.pageToken.count(of),
      database.db.reportMail.count({ where: { statusPageId: page.id } }),
      database.db.monitor.count({ where: { id: monitor } }),
      database.db.incident.count({ where: { id: incident } }),
    ]);
  };
  expect(await counts()).toEqual([1, 1, 1, 1, 1]);
  await deleteStatusPage(ctx, slug);
  expect(await counts()).toEqual([0, 0, 0, 1, 1]);
});

it(ORGANIZATION_DELETION, async () => {
  const { ctx, team, world } = await begin();
  const { organizationId } = ctx;
  const [monitorId, incident] = [await world.monitor(), await world.incident()];
  const endpointId = await world.webhook();
  await testWebhook(ctx, endpointId);
  await createStatusPage(ctx, inputs.statusPage(), UNPROVED);
  await issueApiKey(ctx, inputs.apiKey());
  const { db } = database;
  const counts = () => {
    const where = { organizationId };
    return Promise.all([
      db.monitor.count({ where }),
      // What the workers check.
      db.monitorState.count({ where: { monitorId } }),
      db.incident.count({ where: { id: incident } }),
      db.statusPage.count({ where }),
      db.webhookEndpoint.count({ where }),
      db.delivery.count({ where: { endpointId } }),
      db.apiKey.count({ where }),
      db.auditEntry.count({ where }),
      db.membership.count({ where }),
    ]);
  };
  expect((await counts()).every((count) => count > 0)).toBe(true);
  await deleteOrganization(ctx, { name: 'Test' });
  expect(await counts()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(await db.user.count({ where: { id: team.owner.id } })).toBe(1);
});

it(ACCOUNT_DELETION, async () => {
  const { services, team } = await begin();
  const { id: userId, email, ctx } = await team.add('admin');
  await createSession(services, { userId, address: null, userAgent: null });
  const { id } = await createIncident(ctx, inputs.incident());
  const { db } = database;
  const counts = () => {
    const of = { where: { userId } };
    return Promise.all([
      db.session.count(of),
      db.membership.count(of),
      db.user.count({ where: { id: userId } }),
    ]);
  };
  expect(await counts()).toEqual([1, 1, 1]);
  await deleteAccount(services, { userId, isFactorStale: false, confirmation: email, address: null });
  expect(await counts()).toEqual([0, 0, 0]);
  const { organizationId } = ctx;
  const deeds = await db.auditEntry.findMany({ where: { organizationId, action: 'incident.create' } });
  expect(deeds).toMatchObject([{ subjectId: id, actorLabel: 'Deleted account' }]);
});

describe('members', () => {
  /** An admin who has invited somebody and created a key. */
  async function withDeeds() {
    const story = await begin();
    const { team, services } = story;
    const admin = await team.add('admin');
    const { url } = await inviteMember(admin.ctx, inputs.invitation(), AT);
    const { apiKey } = await issueApiKey(admin.ctx, inputs.apiKey());
    const invitations = async () => (await listInvitations(team.owner.ctx)).length;
    expect([url, await invitations()]).toEqual([expect.any(String), 1]);
    return {
      ...story,
      admin,
      invitations,
      /** Whether the key still works. */
      keyWorks: () => works(authenticateApiKey(services, `Bearer ${apiKey}`)),
      belongs: async ({ id }: TestPerson) => id in (await team.roles()),
    };
  }

  it(MEMBER_REMOVAL, async () => {
    const { team, admin, invitations, keyWorks, belongs } = await withDeeds();
    await removeMember(team.owner.ctx, admin.id);
    expect([await belongs(admin), await invitations(), await keyWorks()]).toEqual([false, 0, true]);
  });

  it(LEAVING, async () => {
    const { admin, invitations, belongs } = await withDeeds();
    await leaveOrganization(admin.ctx);
    expect([await belongs(admin), await invitations()]).toEqual([false, 0]);
  });

  it(OWNERSHIP_TRANSFER, async () => {
    const { team, ctx, admin, invitations } = await withDeeds();
    await inviteMember(ctx, inputs.invitation(), AT);
    expect(await invitations()).toBe(2);
    await transferOwnership(ctx, admin.id);
    expect(await team.roles()).toEqual({ [admin.id]: 'owner', [team.owner.id]: 'admin' });
    expect(await invitations()).toBe(0);
    await expect(transferOwnership(ctx, team.owner.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it(INVITATION_REVOCATION, async () => {
    const { services, ctx } = await begin();
    const invitation = inputs.invitation();
    const { id, url } = await inviteMember(ctx, invitation, AT);
    const token = url.split('/').at(-1) ?? '';
    expect(await works(readInvitation(services, token))).toBe(true);
    await revokeInvitation(ctx, id);
    expect(await works(readInvitation(services, token))).toBe(false);
    expect(await works(inviteMember(ctx, invitation, AT))).toBe(true);
  });

  it.each([true, false])('a reset second factor, with email on: %s', async (isMailOn) => {
    const { services, ctx, world } = await begin();
    const userId = await world.memberWithFactor();
    await createSession(services, { userId, address: null, userAgent: null });
    await resetSecondFactor({ ...ctx, mail: { isOn: isMailOn } }, userId);
    const { email } = await database.db.user.findUniqueOrThrow({ where: { id: userId } });
    const mails = await database.db.mail.count({ where: { recipient: email, kind: 'second-factor' } });
    const where = { userId };
    expect([
      await database.db.totpFactor.count({ where }),
      await database.db.session.count({ where }),
    ]).toEqual([0, 0]);
    expect(formatFactorReset({ isMailOn })).toContain(
      mails === 1 ? 'They are notified by email.' : 'They are not notified',
    );
  });
});

describe('the second factor', () => {
  /** A person with a passkey, or an app, or both. */
  async function beginFactors(has: { app: boolean; passkey: boolean; isRequired?: boolean }) {
    const story = await beginPasskeyStory(database.db);
    const { services, user, organizationId, owner } = story;
    if (has.passkey) await story.add();
    if (has.app) {
      const secret = await beginEnrollment(services, user.id);
      const code = totpCode(secret, story.clock.now());
      await database.db.$transaction((tx) => confirmEnrollment(tx, services, { user, code, address: null }));
    }
    if (has.isRequired) {
      const data = { secondFactorFrom: story.clock.now() };
      await database.db.organization.update({ where: { id: organizationId }, data });
    }
    const person = { user, address: null };
    return {
      ...story,
      removeApp: () => removeApp(owner, person),
      renew: () => renewRecoveryCodes(owner, person),
      removePasskey: async () => {
        const [passkey] = await listPasskeys(services, user.id);
        await story.remove(passkey?.id ?? '');
      },
      use: (code: string) =>
        database.db.$transaction((tx) =>
          consumeSecondFactor(tx, services, { user, factor: { code }, address: null }),
        ),
      codes: async () => (await readSecondFactor(services, user.id)).recoveryCodesLeft,
      factors: () => readFactors(services.db, user.id, story.clock.now()),
    };
  }

  it(`an app that is removed: “${formatAppRemoval({ hasOther: true, isRequired: false })}”`, async () => {
    const person = await beginFactors({ app: true, passkey: true });
    await person.removeApp();
    expect(await person.factors()).toMatchObject({ hasApp: false, hasPasskey: true, hasFactor: true });
    expect(await person.codes()).toBe(RECOVERY_CODES);
  });

  it.each([false, true])('the last app that is removed, required: %s', async (isRequired) => {
    const person = await beginFactors({ app: true, passkey: false, isRequired });
    const sentence = formatAppRemoval({ hasOther: false, isRequired });
    await person.removeApp();
    const { hasFactor, isRequired: required } = await person.factors();
    const decision = decideSignIn({
      method: 'password',
      isFactorProven: false,
      hasFactor,
      isFactorRequired: required,
      belongs: 'member',
    });
    expect(sentence.includes('You will sign in without a code.')).toBe(decision === 'session');
    expect(sentence.includes('you must set one up again')).toBe(decision === 'enrollment');
    expect(sentence).toContain('Your recovery codes stop working.');
    expect(await person.codes()).toBe(0);
  });

  it.each([
    ['not the last', { app: true, isRequired: true }, true, RECOVERY_CODES],
    ['the last', { app: false, isRequired: false }, true, 0],
    ['the last, and required', { app: false, isRequired: true }, false, RECOVERY_CODES],
  ])('a passkey that is %s', async (_, { app, isRequired }, isRemoved, codes) => {
    const person = await beginFactors({ app, passkey: true, isRequired });
    const sentence = formatPasskeyRemoval({ hasOther: app, isRequired });
    expect(await works(person.removePasskey())).toBe(isRemoved);
    expect(await person.codes()).toBe(codes);
    expect(sentence.includes('set up another one first')).toBe(!isRemoved);
    expect(sentence.includes('your recovery codes stop working')).toBe(codes === 0);
  });

  it(`new recovery codes: “${CODES_RENEWAL}”`, async () => {
    const person = await beginFactors({ app: true, passkey: false });
    const [before = ''] = await person.renew();
    const [after = ''] = await person.renew();
    expect([await person.use(before), await person.use(after)]).toEqual([false, true]);
  });
});

describe('maintenance', () => {
  async function beginWindows() {
    const story = await beginSubscriberStory(database.db, { subscribers: 2 });
    return {
      ...story,
      /** What deleting a window says, and which notices it then writes. */
      remove: async (id: string) => {
        const window = await getMaintenance(story.ctx, id);
        const pages = await readAudiences(story.ctx);
        const sentence = formatWindowDeletion(window, audienceOf(pages, window.monitors));
        await database.db.pageNotice.deleteMany({ where: { pageId: story.page.id } });
        await deleteMaintenance(story.ctx, id);
        const notices = await database.db.pageNotice.findMany({ where: { pageId: story.page.id } });
        return { sentence, kinds: notices.map(({ kind }) => kind) };
      },
      run: () => runMaintenanceWindows(story.services),
    };
  }
  const NOTIFIED = 'This notifies 2 subscribers of Acme that it';
  const OTHERS = 'Subscribers who chose other systems are not notified.';

  it('that is scheduled is canceled', async () => {
    const { plan, remove } = await beginWindows();
    const { id } = await plan(HOUR, 2 * HOUR);
    expect(await remove(id)).toEqual({
      sentence: `${NOTIFIED} is canceled. ${OTHERS}`,
      kinds: ['maintenance.cancelled'],
    });
  });

  it('that is active ends, and its monitors are no longer in maintenance', async () => {
    const { plan, remove, run, monitor } = await beginWindows();
    const { id } = await plan(-MINUTE, HOUR);
    await run();
    const current = () => database.db.statusPeriod.findFirst({ where: { monitorId: monitor.id, to: null } });
    expect(await current()).toMatchObject({ state: 'maintenance' });
    expect(await remove(id)).toEqual({
      sentence: `The window ends now, and alerts resume. Its past occurrences are deleted too, including from status pages. ${NOTIFIED} has ended. ${OTHERS}`,
      kinds: ['maintenance.finished'],
    });
    await run();
    expect((await current())?.state).not.toBe('maintenance');
    expect(await database.db.maintenanceOccurrence.count({ where: { windowId: id } })).toBe(0);
  });

  it('that was entered afterwards counts as measured, and nobody is notified', async () => {
    const { plan, remove, clock } = await beginWindows();
    clock.advance(3 * HOUR);
    const { id } = await plan(-2 * HOUR, -HOUR);
    const corrections = () => database.db.ledgerCorrection.count({ where: { windowId: id } });
    expect(await corrections()).toBe(1);
    expect(await remove(id)).toEqual({
      sentence:
        'Its past occurrences are deleted too, including from status pages. If it was entered afterwards, its time counts as measured again. Nobody is notified.',
      kinds: [],
    });
    expect(await corrections()).toBe(0);
  });
});

describe('the URL of a heartbeat that is replaced', () => {
  async function beginJob() {
    const story = await beginCalls(database.db, { period: 3600, grace: 600 });
    const read = async () => {
      const heartbeat = await readHeartbeat(story.ctx, story.id);
      if (heartbeat === null) throw new Error('there is no heartbeat');
      return heartbeat;
    };
    return {
      ...story,
      /** What replacing it says; the URL before must be refused afterwards. */
      replace: async () => {
        const sentence = formatUrlReplacement(await read());
        const before = await story.readToken();
        await rotateHeartbeat(story.ctx, story.id);
        expect(await story.callWith(before)).toBe(false);
        return sentence;
      },
      isLate: async () => (await read()).lateSince !== null,
      isPending: async () => (await read()).calledAt === null,
    };
  }
  const STOPS = 'The current URL stops working at once.';

  it('before the first call leaves the monitor pending', async () => {
    const { replace, isPending, call } = await beginJob();
    expect(await replace()).toBe(`${STOPS} The monitor stays pending until the job calls the new one.`);
    expect(await isPending()).toBe(true);
    expect([await call(), await isPending()]).toEqual([true, false]);
  });

  it('is late only once the job has not called the new one in time', async () => {
    const { replace, isLate, call, pass } = await beginJob();
    await call();
    expect(await replace()).toBe(`${STOPS} The job is late if it does not call the new one in time.`);
    expect(await isLate()).toBe(false);
    await pass(4300);
    expect(await isLate()).toBe(true);
    expect(await replace()).toBe(`${STOPS} The job stays late until it calls the new one.`);
    expect(await isLate()).toBe(true);
    await call();
    expect(await isLate()).toBe(false);
  });
});

describe('other deletions', () => {
  it(CORRECTION_DELETION, async () => {
    const { ctx, world, clock } = await begin();
    clock.set(new Date(Date.now() + MINUTE));
    const { monitorId, id } = await world.correction();
    const [before] = await readCorrectedIds(monitorId);
    expect(before).toBe(id);
    await deleteCorrection(ctx, monitorId, id);
    expect(await readCorrectedIds(monitorId)).toEqual([]);
    const state = await database.db.monitorState.findUniqueOrThrow({ where: { monitorId } });
    expect(state.isCorrected).toBe(false);
  });

  it(TEMPLATE_DELETION, async () => {
    const { ctx, world } = await begin();
    const [template, incident] = [await world.incidentTemplate(), await world.incident()];
    const read = () => database.db.incident.findUniqueOrThrow({ where: { id: incident } });
    const before = await read();
    await deleteIncidentTemplate(ctx, template);
    expect(await read()).toEqual(before);
  });

  it(`a scheduled update that is canceled: “${UPDATE_CANCELLATION}”`, async () => {
    const { ctx, services, world, clock } = await begin();
    clock.set(new Date());
    const { id, updateId } = await world.scheduledUpdate();
    await cancelScheduledUpdate(ctx, id, updateId);
    clock.advance(2 * HOUR);
    await runIncidentSchedule(services);
    const updates = await database.db.incidentUpdate.findMany({ where: { incidentId: id } });
    expect(updates.map(({ message }) => message)).not.toContain('Soon.');
  });
});

/** The corrections of a monitor. */
async function readCorrectedIds(monitorId: string): Promise<string[]> {
  const rows = await database.db.ledgerCorrection.findMany({ where: { monitorId } });
  return rows.map(({ id }) => id);
}

describe('every sentence of a dialog about consequences', () => {
  const sources = [...readSourceFiles(ROOT)];

  it('stands in a file of consequences, and a test asserts it', () => {
    const literal = sources.filter(
      ([path, text]) =>
        path.endsWith('.tsx') &&
        /<Confirm(Button|Dialog)\b/.test(text) &&
        /\bdescription=(["'`]|\{["'`])/.test(text),
    );
    const permanent = sources.filter(
      ([path, text]) => path.endsWith('.tsx') && text.includes('This permanently deletes'),
    );
    expect(permanent.map(([path]) => path)).toEqual([]);
    // Navigation alone decides what becomes of a form.
    expect(literal.map(([path]) => path)).toEqual(['components/ui/forms/leave-dialog.tsx']);
    const tests = sources.flatMap(([path, text]) => (path.endsWith('/consequences.test.ts') ? text : []));
    const exported = sources
      .filter(([path]) => /^components\/.*consequences\.ts$/.test(path))
      .flatMap(([, text]) => [...text.matchAll(/^export (?:const|function) (\w+)/gm)])
      .map(([, name = '']) => name);
    expect(exported.length).toBeGreaterThan(20);
    expect(exported.filter((name) => !tests.join().includes(name))).toEqual([]);
  });
});
