import { exportSubscribers } from '@/lib/domain/subscribers/read-subscribers';
import { subscriberListSchema } from '@/lib/schemas/status-pages/subscriber';
import { csvResponse } from '@/lib/web/http/csv-operation';
import { serveFile } from '../../../../serve-file';

/** The subscribers that the screen lists, all pages of them, as a CSV file. */
export const GET = serveFile<{ slug: string }>(
  'subscriber.read',
  async (ctx, { query, params: { slug } }) => {
    const { status } = subscriberListSchema.parse(query);
    return csvResponse(await exportSubscribers(ctx, slug, { status }), { name: `subscribers-${slug}.csv` });
  },
);
