import 'server-only';
import { readServiceName, renderDocument, securityPolicy } from '@/app/status/documents';
import { CurrentStatus } from '@/components/status-page/current-status';
import { Document } from '@/components/status-page/document';
import type { PagePlace } from '@/components/status-page/links';
import { TONE_OF } from '@/components/status-page/state';
import { pageCss } from '@/components/status-page/theme/page-css';
import { inTimeZone, type Translator } from '@/components/status-page/translator';
import type { PageView } from '@/lib/domain/status-pages/public/read-page-view';
import type { PagePreview } from '@/lib/schemas/status-pages/page-preview';

type Drawing = {
  /** The visitor's color scheme. */
  scheme: PagePreview['scheme'];
  canSubscribe: boolean;
  t: Translator;
};

/** A status page as a visitor would see it, without its script, and its Content-Security-Policy. */
export async function drawPreview(
  view: PageView,
  { scheme, canSubscribe, t: own }: Drawing,
): Promise<{ html: Uint8Array<ArrayBuffer>; policy: string }> {
  const { page } = view;
  const theme = pageCss(page, scheme);
  const t = inTimeZone(own, page.timeZone);
  const place: PagePlace = { base: `/status/${page.slug}`, lang: undefined, isPreview: true };
  const { bytes: html } = await renderDocument(
    <Document
      page={page}
      theme={theme}
      place={place}
      canSubscribe={canSubscribe}
      t={t}
      path=""
      origin={null}
      service={readServiceName()}
      title={t.messages.banner[view.status.state]}
      tone={TONE_OF[view.status.state]}
      isStill
    >
      <CurrentStatus view={view} place={place} t={t} />
    </Document>,
  );
  return { html, policy: securityPolicy({ css: theme.css, images: page }, 'preview') };
}
