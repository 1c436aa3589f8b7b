import { z } from 'zod';
import { readStatuspage } from '@/lib/domain/status-pages/statuspage/read-statuspage';
import { type StatuspageDocument, statuspageSchemas } from '@/lib/schemas/status-pages/statuspage';
import { pageResource } from '@/lib/web/http/page-resource';

/** The handlers of a document of Statuspage's public API, which clients of Statuspage read below the address of a page. */
export function statuspageResource(document: StatuspageDocument) {
  return pageResource({
    contentType: 'application/json',
    query: z.object({}),
    write: async ({ services, page, address }) => {
      const body = await readStatuspage(services, page, { document, address });
      return { body: JSON.stringify(statuspageSchemas[document].parse(body)) };
    },
  });
}
