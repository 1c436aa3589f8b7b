import { chooseLanguage } from '@/app/status/documents';
import { translatorOf } from '@/components/status-page/translator';
import { DomainError } from '@/lib/core/errors';
import { parseJson } from '@/lib/core/parse-json';
import { previewPage } from '@/lib/domain/status-pages/public/read-page-view';
import { pagePreviewSchema } from '@/lib/schemas/status-pages/page-preview';
import { parseInput } from '@/lib/schemas/validation';
import { requestBaseUrl, requireSameOrigin } from '@/lib/web/http/address/request-address';
import { admit } from '@/lib/web/http/dashboard-gate';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import type { Handle } from '@/lib/web/http/operation';
import { readForm } from '@/lib/web/http/read-input';
import { route } from '@/lib/web/http/route';
import { drawPreview } from './draw-preview';

/**
 * Renders the public page from an unsaved form, only for the person editing it and never cached. The editor loads it into a
 * frame, so that it has its own Content-Security-Policy.
 */
const preview: Handle = async (request, _, { requestId }) => {
  requireSameOrigin(request, [requestBaseUrl(request.headers)]);
  const session = await findVisitorSession();
  if (session === null) throw new DomainError('UNAUTHORIZED', 'You are signed out.');
  await admit(session, 'status-page.read');
  const { ctx } = session;
  const { scheme, ...unsaved } = parseInput(
    pagePreviewSchema,
    parseJson((await readForm(request)).page ?? ''),
  );
  const { html, policy } = await drawPreview(await previewPage(ctx, unsaved), {
    scheme,
    canSubscribe: ctx.mail.isOn && ctx.appUrl !== null,
    t: translatorOf(chooseLanguage(request).language),
  });
  return new Response(html, {
    headers: {
      'X-Request-Id': requestId,
      'Cache-Control': 'no-store',
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
    },
  });
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ POST: preview });
