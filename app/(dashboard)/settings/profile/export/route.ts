import { exportAccount } from '@/lib/domain/people/account/export-account';
import { serveFile } from '../../../serve-file';

/** Everything that is stored about the person, as a JSON file. */
export const GET = serveFile('session', async (ctx, { session: { userId } }) => {
  const day = ctx.clock.now().toISOString().slice(0, 10);
  return new Response(JSON.stringify(await exportAccount(ctx.db, userId), null, 2), {
    headers: {
      'Content-Type': 'application/json',
      'Content-Disposition': `attachment; filename="account-${day}.json"`,
      'Cache-Control': 'no-store',
    },
  });
});
