import type { Transaction } from '@/lib/platform/db/client';

/** A member who wants emails about monitors and incidents. */
export type Recipient = {
  /** The email address. */
  to: string;
  /** Whether they can change the organization itself. */
  manages: boolean;
};

/** The members of an organization who want its alerts by email, in the order in which they joined. */
export async function findRecipients(tx: Transaction, organizationId: string): Promise<Recipient[]> {
  const memberships = await tx.membership.findMany({
    where: { organizationId, alertMail: true },
    select: { role: true, user: { select: { email: true } } },
    orderBy: { createdAt: 'asc' },
  });
  return memberships.map(({ role, user }) => ({
    to: user.email,
    manages: role === 'admin' || role === 'owner',
  }));
}
