import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { removeMember } from '@/lib/domain/members/change-members';
import { inviteMember } from '@/lib/domain/members/invitations';
import { createTestTeam } from '@/lib/domain/members/testing/people';
import { createSession, endSession } from '@/lib/domain/people/sessions';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { type Listening, listen } from '@/lib/platform/db/listen';
import { createLiveHub, type LiveHub } from '@/lib/platform/live/hub';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { waitUntil } from '@/lib/testing/wait-for';
import { createLiveStreams, type LiveStreams } from './live-streams';
import { type ReadStream, readStream } from './testing/read-stream';

const database = useTestDatabase();
const CHECK_MS = 50;
const log = createLogger('silent', 'test');

let hub: LiveHub;
let listening: Listening;
let streams: LiveStreams;

beforeAll(async () => {
  hub = createLiveHub({ gapMs: 1 });
  const services = createTestServices({ db: database.db });
  streams = createLiveStreams({ services, hub, checkMs: CHECK_MS, beatMs: 20 });
  const onNotify = (_: string, payload: string | null) =>
    payload === null ? hub.resume() : hub.hear(payload);
  listening = listen(database.url, ['pharos_live'], { onNotify, log });
  await waitUntil(() => hub.watch('org_nobody', { onHint: () => {}, onEnd: () => {} }) !== null);
});
afterAll(() => listening?.stop());

/** A team whose owner has an open stream. */
async function begin() {
  const services = createTestServices({ db: database.db });
  const team = await createTestTeam(services);
  const openFor = async (userId: string) => {
    const sessionId = await createSession(services, { userId, address: null, userAgent: null });
    const stream = readStream(streams.open({ sessionId, organizationId: team.organizationId }));
    return { sessionId, stream };
  };
  return { services, team, openFor, ...(await openFor(team.owner.id)) };
}

/** The hints of a stream about what `act` does. */
async function hintsFrom(stream: ReadStream, act: () => Promise<unknown>): Promise<string[]> {
  await listening.catchUp();
  const before = stream.hints().length;
  await act();
  await listening.catchUp();
  const beats = stream.beats();
  await waitUntil(() => stream.beats() > beats + 1 || stream.isOver());
  return stream.hints().slice(before);
}

describe('a stream sends', () => {
  it('a hint when checks arrive, and for what they change', async () => {
    const story = await beginStory(database.db);
    await story.addMonitor({ alertThreshold: 1, regions: ['us-east'] });
    const visitor = { userId: await ownerOf(story.ctx), address: null, userAgent: null };
    const sessionId = await createSession(createTestServices({ db: database.db }), visitor);
    const stream = readStream(streams.open({ sessionId, organizationId: story.organizationId }));
    expect(await hintsFrom(stream, () => story.check(OK, { afterMs: 0 }))).toEqual(['changes']);
    expect(await hintsFrom(stream, () => story.check(OK))).toEqual(['results']);
    expect(await hintsFrom(stream, () => story.check(FAILED))).toEqual(['changes']);
    expect(await hintsFrom(stream, () => story.check(FAILED))).toEqual(['results']);
  });

  it('hints for changes by people, and none of another organization', async () => {
    const { stream, team } = await begin();
    const { team: other, stream: theirs } = await begin();
    const invite = (ctx: OrganizationContext) =>
      inviteMember(ctx, { email: 'new@example.com', role: 'viewer' }, { baseUrl: 'http://pharos.test' });
    expect(await hintsFrom(stream, () => invite(team.owner.ctx))).toEqual(['changes']);
    expect(theirs.hints()).toEqual([]);
    expect(await hintsFrom(stream, () => invite(other.owner.ctx))).toEqual([]);
    expect(theirs.hints()).toEqual(['changes']);
  });
});

describe('a stream ends', () => {
  it('with its session, and with no other', async () => {
    const { services, team, stream, sessionId, openFor } = await begin();
    const second = await openFor(team.owner.id);
    await endSession(services, team.owner.id, sessionId);
    await waitUntil(() => stream.isOver());
    expect(stream.isDismissed(), 'readers without access must not reconnect').toBe(true);
    expect(second.stream.isOver()).toBe(false);
  });

  it('for a member who is removed', async () => {
    const { team, stream, openFor } = await begin();
    const member = await team.add('member');
    const theirs = await openFor(member.id);
    await removeMember(team.owner.ctx, member.id);
    await waitUntil(() => theirs.stream.isOver());
    expect(stream.isOver()).toBe(false);
  });

  it('for a person who switched to another organization in this browser', async () => {
    const { team, stream, sessionId, services } = await begin();
    const { organizationId } = await createTestTeam(services);
    const createdAt = new Date();
    await services.db.membership.create({
      data: { organizationId, userId: team.owner.id, role: 'member', createdAt },
    });
    await services.db.session.update({ where: { id: sessionId }, data: { organizationId } });
    await waitUntil(() => stream.isOver());
  });

  it('while no hints are received, and none can be opened', async () => {
    const { team, stream, sessionId } = await begin();
    hub.suspend();
    await waitUntil(() => stream.isOver());
    expect(stream.isDismissed(), 'who may come back does').toBe(false);
    const visitor = { sessionId, organizationId: team.organizationId };
    expect(streams.open(visitor).status).toBe(503);
    hub.resume();
    const again = streams.open(visitor);
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });
});

it('a session has at most twenty streams, and closing one frees its place', async () => {
  const { team, sessionId, stream } = await begin();
  const visitor = { sessionId, organizationId: team.organizationId };
  const more = Array.from({ length: 19 }, () => streams.open(visitor));
  expect(more.map(({ status }) => status)).toEqual(more.map(() => 200));
  expect(streams.open(visitor).status).toBe(429);
  await stream.leave();
  const next = streams.open(visitor);
  expect(next.status).toBe(200);
  for (const { body } of [...more, next]) await body?.cancel();
});

it('proxies must not store, buffer or compress it', async () => {
  const { team, sessionId } = await begin();
  const { headers, body } = streams.open({ sessionId, organizationId: team.organizationId });
  expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(headers.get('cache-control')).toBe('no-store, no-transform');
  await body?.cancel();
});

async function ownerOf({ db, organizationId }: OrganizationContext): Promise<string> {
  const { userId } = await db.membership.findFirstOrThrow({ where: { organizationId, role: 'owner' } });
  return userId;
}
