import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { NewWebhook, RotateSecret, Webhook } from '@/lib/schemas/webhook';
import { auditSubject } from './audited-webhook';
import { lockWebhook } from './lock-webhook';
import { serializeWebhook } from './serialize-webhook';
import { generateWebhookSecret } from './sign';
import { openSigningSecrets, ROTATION_MS } from './signing-secrets';

/**
 * Makes a new secret and shows it for the only time. For 24 hours, or until the rotation is finished, the old one goes on
 * signing beside it; `immediate` ends every older secret at once. A rotation during a rotation replaces the new secret.
 * Throws FORBIDDEN and NOT_FOUND.
 */
export async function rotateSecret(
  ctx: OrganizationContext,
  id: string,
  { immediate }: RotateSecret,
): Promise<NewWebhook> {
  requirePermission(ctx, 'webhook.rotate-secret');
  const { keyring } = ctx;
  const now = ctx.clock.now();
  const secret = generateWebhookSecret();
  const row = await ctx.db.$transaction(async (tx) => {
    const before = await lockWebhook(tx, ctx, id);
    const { current } = openSigningSecrets(keyring, id, before, now);
    const secrets = immediate
      ? { secretSealed: keyring.seal(secret, id), nextSecretSealed: null, rotationEndsAt: null }
      : {
          secretSealed: keyring.seal(current, id),
          nextSecretSealed: keyring.seal(secret, id),
          rotationEndsAt: new Date(now.getTime() + ROTATION_MS),
        };
    const after = await tx.webhookEndpoint.update({ where: { id }, data: { ...secrets, updatedAt: now } });
    await recordAudit(tx, ctx, {
      action: 'webhook.rotate-secret',
      subject: auditSubject(after),
      after: { immediate, rotationEndsAt: after.rotationEndsAt },
    });
    return after;
  });
  return { ...serializeWebhook(ctx, row), secret };
}

/**
 * Ends a rotation: from now on the new secret alone signs. Where none is going on it changes nothing. Throws
 * FORBIDDEN and NOT_FOUND.
 */
export async function finishRotation(ctx: OrganizationContext, id: string): Promise<Webhook> {
  requirePermission(ctx, 'webhook.rotate-secret');
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const before = await lockWebhook(tx, ctx, id);
    const { nextSecretSealed: secretSealed } = before;
    if (secretSealed === null) return serializeWebhook(ctx, before);
    const secrets = { secretSealed, nextSecretSealed: null, rotationEndsAt: null };
    const row = await tx.webhookEndpoint.update({ where: { id }, data: { ...secrets, updatedAt: now } });
    await recordAudit(tx, ctx, {
      action: 'webhook.rotate-secret',
      subject: auditSubject(row),
      before: { rotationEndsAt: before.rotationEndsAt },
      after: { rotationEndsAt: null },
    });
    return serializeWebhook(ctx, row);
  });
}
