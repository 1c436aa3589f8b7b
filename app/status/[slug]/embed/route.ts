import { createHash } from 'node:crypto';
import { z } from 'zod';
import { themeCss } from '@/components/status-page/theme/theme-css';
import { MISSING_EMBED, writeEmbed } from '@/lib/domain/status-pages/public/badge';
import { readPageStatus } from '@/lib/domain/status-pages/read-page-status';
import { pageResource } from '@/lib/web/http/page-resource';

const contentType = 'text/html; charset=utf-8';

/** The only document that any website may frame; it contains a link and no scripts. */
const policy = (style: string) => {
  const hash = createHash('sha256').update(style).digest('base64');
  const rules = ["default-src 'none'", `style-src 'sha256-${hash}'`, "base-uri 'none'", "form-action 'none'"];
  return { 'Content-Security-Policy': [...rules, 'frame-ancestors *'].join('; ') };
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageResource({
  contentType,
  query: z.object({}),
  write: async ({ services, page, address }) => {
    const { state } = await readPageStatus(services, page);
    const { html, style } = writeEmbed({ name: page.name, colors: themeCss(page).css, state, address });
    return { body: html, headers: policy(style) };
  },
  missing: {
    body: MISSING_EMBED.html,
    headers: { 'Content-Type': contentType, ...policy(MISSING_EMBED.style) },
  },
});
