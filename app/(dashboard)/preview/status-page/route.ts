import { chooseLanguage } from '@/app/status/language';
import { translatorOf } from '@/components/status-page/translator';
import { DomainError } from '@/lib/core/errors';
import { findVisitorSession } from '@/lib/http/dashboard-session';
import type { Handle } from '@/lib/http/operation';
import { commonHeaders } from '@/lib/http/problem';
import { readJsonBody } from '@/lib/http/read-json-body';
import { requestBaseUrl } from '@/lib/http/request-base-url';
import { route } from '@/lib/http/route';
import { requireSameOrigin } from '@/lib/http/same-origin';
import { pagePreviewSchema } from '@/lib/schemas/page-preview';
import { parseInput } from '@/lib/schemas/validation';
import { previewPage } from '@/lib/status-pages/preview-page';
import { drawPreview } from './draw-preview';

/** Draws the public page from a form that is not saved, for who fills it in: for nobody else, and for no cache. */
const preview: Handle = async (request, _, { requestId }) => {
  requireSameOrigin(request, [requestBaseUrl(request.headers)]);
  const session = await findVisitorSession();
  if (session === null) throw new DomainError('UNAUTHORIZED', 'You are signed out.');
  const { scheme, ...unsaved } = parseInput(pagePreviewSchema, await readJsonBody(request));
  const view = await previewPage(session.ctx, unsaved);
  const { language } = chooseLanguage(request);
  return new Response(await drawPreview(view, scheme, translatorOf(language)), {
    headers: {
      ...commonHeaders(requestId),
      'Content-Type': 'text/html; charset=utf-8',
      // Opened by itself it shows nothing; what the editor makes of it holds a policy of its own.
      'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
    },
  });
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ POST: preview });
