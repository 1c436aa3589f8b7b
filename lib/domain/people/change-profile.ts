import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';

/** A person's own place in an organization: with the id of who is signed in, nobody else has to permit it. */
type Membership = Pick<OrganizationContext, 'db' | 'organizationId'>;

/** What a person is called on screens; null: by their address. */
export async function renamePerson(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  userId: string,
  name: string | null,
): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { name, updatedAt: clock.now() } });
}

/** Whether the person gets this organization's alerts by e-mail. */
export async function readAlertMail({ db, organizationId }: Membership, userId: string): Promise<boolean> {
  const membership = await db.membership.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { alertMail: true },
  });
  return membership?.alertMail ?? false;
}

/** Switches this organization's alerts by e-mail on or off for the person. */
export async function setAlertMail(
  { db, organizationId }: Membership,
  userId: string,
  alertMail: boolean,
): Promise<void> {
  await db.membership.updateMany({ where: { organizationId, userId }, data: { alertMail } });
}
