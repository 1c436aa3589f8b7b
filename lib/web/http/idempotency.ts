import { createHash } from 'node:crypto';
import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Transaction } from '@/lib/platform/db/client';
import { joinTransaction } from '@/lib/platform/db/client';

/** What is kept of an answer: enough to give it again. */
export type KeptAnswer = { status: number; body: unknown };

const KEPT_MS = 24 * 3_600_000;
const MAX_KEY = 255;
/** An effect may wait for locks of others; the caller waits with it. */
const TIMEOUT_MS = 25_000;

/**
 * Runs an effect once per API key, operation and Idempotency-Key, within 24 hours: the same request gets the first
 * answer again. A rotated API key counts as its predecessor; another one has effects and answers of its own. The
 * answer is written in the effect's own transaction, sealed, so that there is never one without the other. Throws
 * VALIDATION_ERROR for a key that is too long, IDEMPOTENCY_MISMATCH when the body differs, CONFLICT while the first
 * request is still running. An effect that throws leaves nothing but its kept refusal; `refusal` answers null for
 * those that are not kept.
 */
export async function runOnce(
  ctx: OrganizationContext,
  request: { key: string; operation: string; body: unknown },
  effect: (ctx: OrganizationContext) => Promise<KeptAnswer>,
  refusal: (error: unknown) => KeptAnswer | null,
): Promise<KeptAnswer> {
  const { key, operation, body } = request;
  if (key.length > MAX_KEY || !/^[\x21-\x7e ]+$/.test(key)) {
    const detail = {
      path: 'Idempotency-Key',
      code: 'invalid',
      message: `must be 1 to ${MAX_KEY} printable characters`,
    };
    throw new DomainError('VALIDATION_ERROR', 'The header Idempotency-Key is not valid.', [detail]);
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
      await takeSlot(tx, slot);
      const kept = await readKept(ctx, tx, slot, bodyHash);
      if (kept) return kept;
      const answer = await runInside(ctx, tx, effect, refusal);
      const answerSealed = ctx.keyring.seal(JSON.stringify(answer), sealOwner(slot));
      const createdAt = ctx.clock.now();
      await tx.idempotentAnswer.create({ data: { ...slot, bodyHash, answerSealed, createdAt } });
      return answer;
    },
    { timeout: TIMEOUT_MS },
  );
}

type Slot = { organizationId: string; lineageId: string; operation: string; key: string };

const sealOwner = ({ organizationId, lineageId, operation, key }: Slot) =>
  `${organizationId} ${lineageId} ${operation} ${key}`;

/** Whose answers these are: an answer can hold a secret that another key must not see. */
async function readLineage(tx: Transaction, { organizationId, actor }: OrganizationContext): Promise<string> {
  if (actor.kind !== 'key') throw new Error('only API keys send an Idempotency-Key');
  const where = { id: actor.keyId, organizationId };
  const { lineageId } = await tx.apiKey.findFirstOrThrow({ where, select: { lineageId: true } });
  return lineageId;
}

/** A lock that is gone with its holder, however it ends: no slot stays taken after a crash. */
async function takeSlot(tx: Transaction, slot: Slot): Promise<void> {
  const digest = createHash('sha256').update(sealOwner(slot)).digest();
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${digest.readBigInt64BE(0)}) AS taken`;
  if (!row?.taken) {
    throw new DomainError(
      'CONFLICT',
      'The first request with this Idempotency-Key is still running. Try again shortly.',
    );
  }
}

async function readKept(
  { keyring, clock }: OrganizationContext,
  tx: Transaction,
  slot: Slot,
  bodyHash: Uint8Array,
): Promise<KeptAnswer | null> {
  const oldest = new Date(clock.now().getTime() - KEPT_MS);
  await tx.idempotentAnswer.deleteMany({ where: { ...slot, createdAt: { lte: oldest } } });
  const row = await tx.idempotentAnswer.findFirst({ where: slot });
  if (row === null) return null;
  if (!Buffer.from(row.bodyHash).equals(bodyHash)) {
    throw new DomainError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another body.');
  }
  return JSON.parse(keyring.open(row.answerSealed, sealOwner(slot)));
}

async function runInside(
  ctx: OrganizationContext,
  tx: Transaction,
  effect: (ctx: OrganizationContext) => Promise<KeptAnswer>,
  refusal: (error: unknown) => KeptAnswer | null,
): Promise<KeptAnswer> {
  await tx.$executeRaw`SAVEPOINT effect`;
  try {
    return await effect({ ...ctx, db: joinTransaction(tx) });
  } catch (error) {
    const kept = refusal(error);
    if (kept === null) throw error;
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT effect`;
    return kept;
  }
}
