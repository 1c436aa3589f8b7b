import type { Actor } from '@/lib/domain/context/organization-context';
import type { Transaction } from '@/lib/platform/db/client';

/** Who acts, and what they are called as of now: people and keys come and go. */
export async function describeActor(tx: Transaction, actor: Actor) {
  switch (actor.kind) {
    case 'operator':
      return { actorKind: 'operator' as const, actorId: null, actorLabel: 'command line' };
    case 'key': {
      const key = await tx.apiKey.findUnique({
        where: { id: actor.keyId },
        select: { name: true, hint: true },
      });
      const actorLabel = key ? `${key.name} (${key.hint}…)` : actor.keyId;
      return { actorKind: 'key' as const, actorId: actor.keyId, actorLabel };
    }
    case 'user': {
      const user = await tx.user.findUnique({ where: { id: actor.userId }, select: { email: true } });
      return { actorKind: 'user' as const, actorId: actor.userId, actorLabel: user?.email ?? actor.userId };
    }
  }
}
