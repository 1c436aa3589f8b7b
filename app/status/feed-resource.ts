import { z } from 'zod';
import { getEnvironment } from '@/lib/env';
import { pageResource } from '@/lib/http/page-resource';
import { readFeed } from '@/lib/status-pages/read-feed';
import { type FeedFormat, writeFeed } from '@/lib/status-pages/write-feed';

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
