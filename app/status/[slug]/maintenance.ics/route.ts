import { z } from 'zod';
import { readCalendar } from '@/lib/domain/status-pages/public/read-feed';
import { writeCalendar } from '@/lib/domain/status-pages/public/write-calendar';
import { getEnvironment } from '@/lib/env';
import { pageResource } from '@/lib/web/http/page-resource';

/** Scheduled and past maintenance, for calendars to subscribe to. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageResource({
  contentType: 'text/calendar; charset=utf-8',
  query: z.object({}),
  write: async ({ services, page, address }) => {
    const { SERVICE_NAME: serviceName } = getEnvironment();
    return { body: writeCalendar({ ...(await readCalendar(services, page)), address, serviceName }) };
  },
});
