import { createHash } from 'node:crypto';
import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Transaction } from '@/lib/platform/db/client';
import { joinTransaction } from '@/lib/platform/db/client';

/** A stored response, enough to repeat it. */
export type StoredResponse = { status: number; body: unknown };

const STORED_MS = 24 * 3_600_000;
const MAX_KEY_LENGTH = 255;
/** An effect may wait for locks, and the caller with it. */
const TIMEOUT_MS = 25_000;

/**
 * Runs an effect once per API key, operation and Idempotency-Key within 24 hours; the same request gets the
 * first response again. A rotated API key counts as its predecessor; another key has its own effects and
 * responses. The response is stored, encrypted, in the transaction of the effect, so there is never one
 * without the other.
 *
 * Throws VALIDATION_ERROR for an invalid key, IDEMPOTENCY_MISMATCH if the body differs, IN_PROGRESS while the
 * first request is still running. An effect that throws is rolled back, and its error is stored unless
 * `toStored` returns null for it.
 */
export async function runOnce(
  ctx: OrganizationContext,
  request: { key: string; operation: string; body: unknown },
  effect: (ctx: OrganizationContext) => Promise<StoredResponse>,
  toStored: (error: unknown) => StoredResponse | null,
): Promise<{ response: StoredResponse; isReplayed: boolean }> {
  const { key, operation, body } = request;
  if (key.length > MAX_KEY_LENGTH || !/^[\x21-\x7e ]+$/.test(key)) {
    const detail = {
      path: 'Idempotency-Key',
      code: 'invalid',
      message: `must be 1 to ${MAX_KEY_LENGTH} printable characters`,
    };
    throw new DomainError('VALIDATION_ERROR', 'The Idempotency-Key header is invalid.', [detail]);
  }
  const bodyHash = new Uint8Array(
    createHash('sha256')
      .update(JSON.stringify(body ?? null))
      .digest(),
  );
  return ctx.db.$transaction(
    async (tx) => {
      const lineageId = await readLineage(tx, ctx);
      const slot = { organizationId: ctx.organizationId, lineageId, operation, key };
      await lockSlot(tx, slot);
      const stored = await readStored(ctx, tx, slot, bodyHash);
      if (stored) return { response: stored, isReplayed: true };
      const response = await runInside(ctx, tx, effect, toStored);
      const responseSealed = ctx.keyring.seal(JSON.stringify(response), sealOwner(slot));
      const createdAt = ctx.clock.now();
      await tx.idempotentResponse.create({ data: { ...slot, bodyHash, responseSealed, createdAt } });
      return { response, isReplayed: false };
    },
    { timeout: TIMEOUT_MS },
  );
}

type Slot = { organizationId: string; lineageId: string; operation: string; key: string };

const sealOwner = ({ organizationId, lineageId, operation, key }: Slot) =>
  `${organizationId} ${lineageId} ${operation} ${key}`;

/** Responses belong to a key's lineage: they can hold a secret that another key must not see. */
async function readLineage(tx: Transaction, { organizationId, actor }: OrganizationContext): Promise<string> {
  if (actor.kind !== 'key') throw new Error('only API keys send an Idempotency-Key');
  const where = { id: actor.keyId, organizationId };
  const { lineageId } = await tx.apiKey.findFirstOrThrow({ where, select: { lineageId: true } });
  return lineageId;
}

/** A lock released with its holder, however it ends: no slot stays locked after a crash. */
async function lockSlot(tx: Transaction, slot: Slot): Promise<void> {
  const digest = createHash('sha256').update(sealOwner(slot)).digest();
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${digest.readBigInt64BE(0)}) AS taken`;
  if (!row?.taken) {
    throw new DomainError(
      'IN_PROGRESS',
      'The first request with this Idempotency-Key is still running. Retry shortly.',
    );
  }
}

async function readStored(
  { keyring, clock }: OrganizationContext,
  tx: Transaction,
  slot: Slot,
  bodyHash: Uint8Array,
): Promise<StoredResponse | null> {
  const oldest = new Date(clock.now().getTime() - STORED_MS);
  await tx.idempotentResponse.deleteMany({ where: { ...slot, createdAt: { lte: oldest } } });
  const row = await tx.idempotentResponse.findFirst({ where: slot });
  if (row === null) return null;
  if (!Buffer.from(row.bodyHash).equals(bodyHash)) {
    throw new DomainError(
      'IDEMPOTENCY_MISMATCH',
      'This Idempotency-Key was already used with a different body. Use a new key.',
    );
  }
  return JSON.parse(keyring.open(row.responseSealed, sealOwner(slot)));
}

async function runInside(
  ctx: OrganizationContext,
  tx: Transaction,
  effect: (ctx: OrganizationContext) => Promise<StoredResponse>,
  toStored: (error: unknown) => StoredResponse | null,
): Promise<StoredResponse> {
  await tx.$executeRaw`SAVEPOINT effect`;
  try {
    return await effect({ ...ctx, db: joinTransaction(tx) });
  } catch (error) {
    const stored = toStored(error);
    if (stored === null) throw error;
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT effect`;
    return stored;
  }
}
