import type { Transaction } from '@/lib/platform/db/client';
import { lockPerson } from '../lock-person';
import {
  hasApp,
  hasPasskey,
  hasSecondFactor,
  requiresSecondFactor,
} from '../second-factor/has-second-factor';
import type { SignInFacts } from './decide-sign-in';

/** What decides about the sign-in of a person, their address, and which second factors they have. */
export type PersonFacts = Pick<SignInFacts, 'hasFactor' | 'isFactorRequired' | 'belongs'> & {
  email: string;
  hasApp: boolean;
  hasPasskey: boolean;
};

/**
 * Reads them and locks the person until the transaction ends: a factor that is set up or a password that is reset meanwhile
 * ends the session that this sign-in gets, or is seen by it. Null if there is no such person.
 */
export async function readSignInFacts(
  tx: Transaction,
  userId: string,
  now: Date,
): Promise<PersonFacts | null> {
  await lockPerson(tx, userId);
  const [row] = await tx.$queryRaw<PersonFacts[]>`
    SELECT person.email, ${hasApp} AS "hasApp", ${hasPasskey} AS "hasPasskey",
           ${hasSecondFactor} AS "hasFactor",
           ${requiresSecondFactor(now)} AS "isFactorRequired",
           CASE WHEN EXISTS (SELECT FROM membership WHERE user_id = person.id) THEN 'member'
                WHEN EXISTS (SELECT FROM one_time_token WHERE kind = 'invitation' AND email = person.email
                                AND used_at IS NULL AND expires_at > ${now}) THEN 'invited'
                ELSE 'nowhere' END AS belongs
      FROM "user" AS person WHERE person.id = ${userId}`;
  return row ?? null;
}
