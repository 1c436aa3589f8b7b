import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { verifyCustomDomain } from '@/lib/domain/status-pages/verify-custom-domain';
import { getEnvironment } from '@/lib/env';
import { statusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

const description = [
  'Checks the TXT record _pharos.<domain> immediately and returns the page, whose customDomainStatus contains the result.',
  'The record is also checked every 5 minutes for the first 3 days, then once a day.',
  'A verified domain is checked again daily. While its record is definitely missing (no such name, no TXT record, a different',
  'value), the page stays up and the record is checked every hour; after 3 days without it, the domain is lost.',
  'A name server that fails or does not respond takes no page down.',
  'If two pages name the same domain, the first to prove it gets it. For the other it is taken until the first gives it up.',
].join(' ');

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'verifyDomain',
    summary: 'Verify a custom domain',
    description,
    scope: 'write',
    errors: ['PLAN_LIMIT_EXCEEDED'],
    output: statusPageSchema,
    run: ({ ctx, params }) => verifyCustomDomain(ctx, params.slug ?? '', readPageSettings(getEnvironment())),
  }),
});
