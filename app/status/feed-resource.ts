import { z } from 'zod';
import { readFeed } from '@/lib/domain/status-pages/public/read-feed';
import { type FeedFormat, writeFeed } from '@/lib/domain/status-pages/public/write-feed';
import { getEnvironment } from '@/lib/env';
import { pageResource } from '@/lib/web/http/page-resource';

/** The handlers of a page's feed. */
export function feedResource(format: FeedFormat) {
  return pageResource({
    contentType: `application/${format}+xml; charset=utf-8`,
    query: z.object({}),
    write: async ({ services, page, address }) => {
      const { SERVICE_NAME: serviceName } = getEnvironment();
      return { body: writeFeed({ ...(await readFeed(services, page)), address, serviceName }, format) };
    },
  });
}
