import 'server-only';
import { renderDocument } from '@/app/status/answer-document';
import { previewPolicy } from '@/app/status/security-policy';
import { CurrentStatus } from '@/components/status-page/current-status';
import { Document } from '@/components/status-page/document';
import { headlineOf } from '@/components/status-page/headline';
import { themeCssFor } from '@/components/status-page/theme/theme-css';
import type { Translator } from '@/components/status-page/translator';
import type { PagePreview } from '@/lib/schemas/page-preview';
import type { PageView } from '@/lib/status-pages/read-page-view';

/**
 * A page's own document as a visitor with `scheme` would see it, without its script. Its policy stands in itself, for it is
 * shown as the `srcdoc` of a frame, which has no headers.
 */
export async function drawPreview(
  view: PageView,
  scheme: PagePreview['scheme'],
  t: Translator,
): Promise<string> {
  const { page } = view;
  const theme = themeCssFor(page.theme, scheme);
  const place = { base: `/status/${page.slug}`, lang: undefined };
  const headline = headlineOf(view);
  const html = await renderDocument(
    <Document
      {...{ page, theme, place, t }}
      path=""
      origin={null}
      title={t.messages.banner[headline.says]}
      tone={headline.tone}
      canSubscribe={false}
      isStill
    >
      <CurrentStatus view={view} headline={headline} place={place} t={t} />
    </Document>,
  );
  const policy = previewPolicy({ themeCss: theme.css, logoUrl: page.logoUrl });
  return html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`);
}
