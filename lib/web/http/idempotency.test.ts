import { describe, expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import { issueApiKey, rotateApiKey } from '@/lib/domain/api-keys/change-api-keys';
import type { Actor, OrganizationContext } from '@/lib/domain/context/organization-context';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createApiKeySchema } from '@/lib/schemas/api-key';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { runOnce, type StoredResponse } from './idempotency';

const database = useTestDatabase();

async function begin() {
  const { ctx } = await createTestOrganization(createTestServices({ db: database.db }));
  return beginAs(ctx);
}

/** Requests on behalf of the actor of `ctx`. */
function beginAs(ctx: OrganizationContext) {
  const { organizationId } = ctx;
  const countByRegion = () => database.db.monitor.count({ where: { organizationId } });
  const input = createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/' });
  const send = (key: string, body: object = { name: 'Shop' }, fail?: () => void) =>
    runOnce(
      ctx,
      { key, operation: 'POST /monitors', body },
      async (inside) => {
        const made = await createMonitor(inside, input);
        fail?.();
        return { status: 201, body: { id: made.id, secret: 'wh1sper' } };
      },
      (error) => (error instanceof DomainError ? { status: 400, body: { code: error.code } } : null),
    );
  const post = async (...sent: Parameters<typeof send>): Promise<StoredResponse> =>
    (await send(...sent)).response;
  return { ctx, send, post, countByRegion };
}

describe('an Idempotency-Key', () => {
  it('takes effect once and repeats the first response', async () => {
    const { send, post, countByRegion } = await begin();
    const { response: first, isReplayed } = await send('a');
    expect(isReplayed).toBe(false);
    expect(await send('a')).toEqual({ response: first, isReplayed: true });
    expect(await countByRegion()).toBe(1);
    expect((await post('b')).body).not.toEqual(first.body);
    expect(await countByRegion()).toBe(2);
  });

  it('is rejected with another body, and while the first request is running', async () => {
    const { post, countByRegion } = await begin();
    await post('a');
    await expect(post('a', { name: 'Other' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });

    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => post('b')));
    const responses = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [JSON.stringify(outcome.value)] : [],
    );
    expect(new Set(responses).size).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'IN_PROGRESS' });
    }
    expect(await countByRegion()).toBe(2);
  });

  it('stores an error without its effect, but no internal error', async () => {
    const { post, countByRegion } = await begin();
    const reject = () => {
      throw new DomainError('CONFLICT', 'no');
    };
    const rejected = { status: 400, body: { code: 'CONFLICT' } };
    expect(await post('a', {}, reject)).toEqual(rejected);
    expect(await post('a', {})).toEqual(rejected);
    expect(await countByRegion()).toBe(0);

    const crash = () => {
      throw new Error('broken');
    };
    await expect(post('b', {}, crash)).rejects.toThrow('broken');
    expect(await countByRegion()).toBe(0);
    expect((await post('b', {})).status).toBe(201);
    expect(await countByRegion()).toBe(1);
  });

  it('belongs to its organization, and its response is encrypted in the database', async () => {
    const [one, other] = [await begin(), await begin()];
    const first = await one.post('same');
    expect(await other.post('same')).not.toEqual(first);
    const rows = await database.db.idempotentResponse.findMany();
    expect(rows.every((row) => !Buffer.from(row.responseSealed).includes('wh1sper'))).toBe(true);
  });

  it('belongs to the API key that sent it, and to the successors of that key', async () => {
    const { ctx, post, countByRegion } = await begin();
    const as = (keyId: string) => beginAs({ ...ctx, actor: { kind: 'key', keyId, scope: 'write' } });
    const first = await post('same');

    const other = await issueApiKey(ctx, createApiKeySchema.parse({ name: 'Another key' }));
    const theirs = await as(other.id).post('same', { name: 'Another body' });
    expect(theirs).not.toEqual(first);
    expect(await countByRegion()).toBe(2);

    const { keyId } = ctx.actor as Extract<Actor, { kind: 'key' }>;
    const successor = await rotateApiKey(ctx, keyId, { overlapHours: 1 });
    const second = await rotateApiKey(ctx, successor.id, { overlapHours: 1 });
    expect(await as(successor.id).post('same')).toEqual(first);
    expect(await as(second.id).post('same')).toEqual(first);
    expect(await post('same')).toEqual(first);
    expect(await countByRegion()).toBe(2);
  });

  it('must be printable', async () => {
    const { post } = await begin();
    for (const key of ['x'.repeat(256), 'a\u0000b']) {
      await expect(post(key)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });
});
