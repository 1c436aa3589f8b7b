import type { Services } from '@/lib/domain/context/services';

/** Ends a subscription for who followed the link in its mails; who is not subscribed any more stays so. */
export async function unsubscribe({ db }: Pick<Services, 'db'>, id: string): Promise<void> {
  await db.pageSubscriber.deleteMany({ where: { id } });
}
