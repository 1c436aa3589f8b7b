import { readDomainSettings } from '@/lib/domain/status-pages/page-row';
import { verifyCustomDomain } from '@/lib/domain/status-pages/verify-custom-domain';
import { getEnvironment } from '@/lib/env';
import { statusPageSchema } from '@/lib/schemas/status-page';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

const description = [
  'Looks for the TXT record _pharos.<domain> in DNS and answers the page; its customDomainStatus says what was found.',
  'This also happens by itself: every 5 minutes during the first 3 days, then once a day.',
  'A verified domain is checked again daily. While its record is certainly missing (no such name, no TXT record, another value)',
  'the page is served on and the record looked for every hour; once it has been missing for 3 days the domain is lost.',
  'A name server that does not answer or fails takes no page down.',
  'Where two pages name one domain, the one that proves it first has it; the other is taken until the first lets it go.',
].join(' ');

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    summary: "Look for the custom domain's TXT record now",
    description,
    scope: 'write',
    output: statusPageSchema,
    run: ({ ctx, params }) =>
      verifyCustomDomain(ctx, params.slug ?? '', readDomainSettings(getEnvironment())),
  }),
});
