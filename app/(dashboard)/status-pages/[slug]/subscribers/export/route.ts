import { exportSubscribers } from '@/lib/domain/subscribers/read-subscribers';
import { subscriberListSchema } from '@/lib/schemas/status-pages/subscriber';
import { csvResponse } from '@/lib/web/http/csv-operation';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../../../act';

/** The subscribers that the screen lists, all pages of them, as a CSV file. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ slug: string }> },
): Promise<Response> {
  const { slug } = await params;
  const { ctx } = await requireSession();
  const { status } = subscriberListSchema.parse(Object.fromEntries(new URL(request.url).searchParams));
  const parts = await orNotFound(exportSubscribers(ctx, slug, { status }));
  return csvResponse(parts, { name: `subscribers-${slug}.csv` });
}
