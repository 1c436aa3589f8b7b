import { z } from 'zod';
import { readStatuspage } from '@/lib/domain/status-pages/statuspage/read-statuspage';
import { IS_PRODUCTION } from '@/lib/env';
import { compileOutput } from '@/lib/schemas/compile-output';
import { type StatuspageDocument, statuspageSchemas } from '@/lib/schemas/status-pages/statuspage';
import { pageResource } from '@/lib/web/http/page-resource';

/** The handlers of a document of Statuspage's public API, which clients of Statuspage read below the address of a page. */
export function statuspageResource(document: StatuspageDocument) {
  const write = compileOutput(statuspageSchemas[document], { isChecked: !IS_PRODUCTION });
  return pageResource({
    contentType: 'application/json',
    query: z.object({}),
    write: async ({ services, page, address }) => {
      return { body: write(await readStatuspage(services, page, { document, address })) };
    },
  });
}
