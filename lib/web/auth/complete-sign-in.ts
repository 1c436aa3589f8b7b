import 'server-only';
import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { createSession, type Visitor } from '@/lib/domain/people/sessions';
import { decideSignIn } from '@/lib/domain/people/sign-in/decide-sign-in';
import { openPendingSignIn, type Proof } from '@/lib/domain/people/sign-in/pending-sign-ins';
import { readSignInFacts } from '@/lib/domain/people/sign-in/read-sign-in-facts';

/** What became of a sign-in. The token of a pending one goes into a cookie, like the session. */
export type SignInOutcome =
  | { kind: 'session'; sessionId: string; email: string }
  | { kind: 'pending'; lacks: 'second factor' | 'enrollment'; token: string };

/**
 * Where every way to sign in meets: the caller has verified that the visitor is `proof.userId`, by `proof.method`, and this
 * decides what is still missing. Creates the session, or a pending sign-in that lasts ten minutes. Throws FORBIDDEN for a person
 * with neither an organization nor an invitation.
 */
export async function completeSignIn(
  services: Services,
  proof: Proof,
  visitor: Visitor,
): Promise<SignInOutcome> {
  const now = services.clock.now();
  return services.db.$transaction(async (tx) => {
    const person = await readSignInFacts(tx, proof.userId, now);
    if (person === null) throw refused();
    const { email, ...facts } = person;
    const decision = decideSignIn({ ...facts, method: proof.method, isFactorProven: false });
    switch (decision) {
      case 'refused':
        throw refused();
      case 'session': {
        const isFactorProven = proof.method === 'passkey';
        const session = { ...visitor, userId: proof.userId, isFactorProven };
        return { kind: 'session', email, sessionId: await createSession({ ...services, db: tx }, session) };
      }
      default:
        return { kind: 'pending', lacks: decision, token: await openPendingSignIn(tx, proof, now) };
    }
  });
}

function refused(): DomainError {
  return new DomainError(
    'FORBIDDEN',
    'You are not a member of any organization. Ask an admin to invite you.',
  );
}
