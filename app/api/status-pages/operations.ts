import { IMAGE_FORMATS, MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS } from '@/lib/core/images/read-image';
import {
  createPageToken,
  listPageTokens,
  revokePageToken,
  rotatePageToken,
} from '@/lib/domain/status-pages/access/page-tokens';
import {
  createStatusPage,
  deleteStatusPage,
  updateStatusPage,
} from '@/lib/domain/status-pages/change-status-page';
import { deletePageImage, setPageImage } from '@/lib/domain/status-pages/images/change-image';
import { importIncidents } from '@/lib/domain/status-pages/import/import-incidents';
import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { getStatusPage, listStatusPages } from '@/lib/domain/status-pages/read-status-pages';
import { upsertStatusPage } from '@/lib/domain/status-pages/upsert-status-page';
import { verifyCustomDomain } from '@/lib/domain/status-pages/verify-custom-domain';
import { importSubscribers } from '@/lib/domain/subscribers/import/import-subscribers';
import {
  exportSubscribers,
  listSubscribers,
  removeSubscriber,
} from '@/lib/domain/subscribers/read-subscribers';
import { getEnvironment } from '@/lib/env';
import {
  documentedIncidentImportSchema,
  importIncidentsSchema,
  incidentImportSchema,
  MAX_IMPORT_VALUES,
} from '@/lib/schemas/incidents/incident-import';
import { messageSchema } from '@/lib/schemas/monitor';
import { namedListQuery, searchAndPage, upsertQuery } from '@/lib/schemas/query';
import type { ImagePlace } from '@/lib/schemas/status-pages/page-images';
import {
  createPageTokenSchema,
  newPageTokenSchema,
  pageTokenSchema,
} from '@/lib/schemas/status-pages/page-token';
import { publicStatusPageQuery, publicStatusPageSchema } from '@/lib/schemas/status-pages/public-status-page';
import {
  createStatusPageSchema,
  documentedStatusPageSchema,
  statusPageSchema,
  updateStatusPageSchema,
} from '@/lib/schemas/status-pages/status-page';
import {
  subscriberExportSchema,
  subscriberSchema,
  subscribersQuerySchema,
} from '@/lib/schemas/status-pages/subscriber';
import {
  importSubscribersSchema,
  subscriberImportSchema,
} from '@/lib/schemas/status-pages/subscriber-import';
import { rotateTokenSchema } from '@/lib/schemas/token';
import { csvOperation } from '@/lib/web/http/csv-operation';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { upsertOperation } from '@/lib/web/http/operations/upsert-operation';
import { preflight, publicOperation } from '@/lib/web/http/public-operation';
import { resource } from '@/lib/web/http/route';

const VERIFY_DOMAIN = [
  'Checks the TXT record _pharos.<domain> immediately and returns the page, whose customDomainStatus contains the result.',
  'The record is also checked every 5 minutes for the first 3 days, then once a day.',
  'A verified domain is checked again daily. While its record is definitely missing (no such name, no TXT record, a different',
  'value), the page stays up and the record is checked every hour; after 3 days without it, the domain is lost.',
  'A name server that fails or does not respond takes no page down.',
  'If two pages name the same domain, the first to prove it gets it. For the other it is taken until the first gives it up.',
].join(' ');

/** What the operations for the image of a place have in common. */
const imageOperations = ([place, name, what]: readonly [ImagePlace, string, string]) => ({
  PUT: operation({
    operationId: `upload${name}`,
    summary: `Upload ${what} of a status page`,
    description: `The body is the file: a PNG, JPEG, WebP, or ICO of at most ${MAX_IMAGE_BYTES / 1024} KiB and ${MAX_IMAGE_PIXELS / 1_000_000} megapixels, which is not animated. Its bytes decide what it is. It replaces a URL. An SVG can only be shown by its URL.`,
    scope: 'write',
    file: {
      types: Object.values(IMAGE_FORMATS).map(({ mediaType }) => mediaType),
      maxBytes: MAX_IMAGE_BYTES,
    },
    output: statusPageSchema,
    run: ({ ctx, params: { slug = '' }, bytes }) =>
      setPageImage(ctx, { slug, place }, bytes, readPageSettings(getEnvironment())),
  }),
  DELETE: operation({
    operationId: `delete${name}`,
    summary: `Delete the uploaded ${what.replace(/^(the|a) /, '')} of a status page`,
    description: 'A URL stays.',
    scope: 'write',
    output: statusPageSchema,
    run: ({ ctx, params: { slug = '' } }) =>
      deletePageImage(ctx, { slug, place }, readPageSettings(getEnvironment())),
  }),
});

export const statusPages = resource({
  '/status-pages': {
    GET: listOperation({
      operationId: 'listStatusPages',
      summary: 'List status pages',
      scope: 'read',
      query: namedListQuery,
      item: statusPageSchema,
      run: async ({ ctx, query }) =>
        searchAndPage(
          await listStatusPages(ctx, readPageSettings(getEnvironment())),
          query,
          ({ name, slug }) => [name, slug],
        ),
    }),
    POST: operation({
      operationId: 'createStatusPage',
      summary: 'Create a status page',
      scope: 'write',
      errors: ['UNKNOWN_MONITOR', 'SLUG_TAKEN', 'DOMAIN_TAKEN', 'PLAN_LIMIT_EXCEEDED'],
      body: createStatusPageSchema,
      documentedBody: documentedStatusPageSchema,
      output: statusPageSchema,
      created: ({ slug }) => `/status-pages/${slug}`,
      run: ({ ctx, body }) => createStatusPage(ctx, body, readPageSettings(getEnvironment())),
    }),
  },
  /** A published page: no key, any origin, cached by shared caches for ten seconds if it is public. */
  '/status-pages/public': {
    GET: publicOperation({
      operationId: 'getPublicStatusPage',
      summary: 'Retrieve a published status page',
      query: publicStatusPageQuery,
      output: publicStatusPageSchema,
      run: ({ services, query, admit }) => readPublicPage(services, query.slug, admit),
    }),
    OPTIONS: preflight(['GET', 'HEAD', 'OPTIONS']),
  },
  '/status-pages/{slug}': {
    GET: operation({
      operationId: 'getStatusPage',
      summary: 'Retrieve a status page',
      scope: 'read',
      output: statusPageSchema,
      run: ({ ctx, params }) => getStatusPage(ctx, params.slug ?? '', readPageSettings(getEnvironment())),
    }),
    PUT: upsertOperation({
      operationId: 'updateStatusPage',
      summary: 'Update a status page',
      description:
        'With `upsert=true`, creates the page (201) if you have none with this slug; then `name` and `monitors` are required, and the defaults of POST apply.',
      errors: ['UNKNOWN_MONITOR', 'SLUG_TAKEN', 'DOMAIN_TAKEN', 'PLAN_LIMIT_EXCEEDED'],
      query: upsertQuery,
      canCreate: ({ upsert }) => upsert ?? false,
      body: { creation: createStatusPageSchema, changes: updateStatusPageSchema },
      field: ({ slug = '' }) => ({ name: 'slug', value: slug, canChange: true }),
      output: statusPageSchema,
      createdOutput: statusPageSchema,
      created: ({ slug }) => `/status-pages/${slug}`,
      run: async ({ ctx, params: { slug = '' }, query, body }) => {
        const settings = readPageSettings(getEnvironment());
        if (query.upsert) return upsertStatusPage(ctx, slug, body, settings);
        return { isCreated: false, resource: await updateStatusPage(ctx, slug, body.changes(), settings) };
      },
    }),
    DELETE: operation({
      operationId: 'deleteStatusPage',
      summary: 'Delete a status page',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params }) => deleteStatusPage(ctx, params.slug ?? ''),
    }),
  },
  '/status-pages/{slug}/logo': imageOperations(['logo', 'Logo', 'the logo']),
  '/status-pages/{slug}/dark-logo': imageOperations(['darkLogo', 'DarkLogo', 'the logo on dark backgrounds']),
  '/status-pages/{slug}/favicon': imageOperations(['favicon', 'Favicon', 'the favicon']),
  '/status-pages/{slug}/incidents/import': {
    POST: operation({
      operationId: 'importIncidents',
      summary: 'Import past incidents of another product into the history of a status page',
      description:
        'The incidents become resolved incidents on rows of the page, with their updates at their own times. Nobody is notified: no event is sent, and no subscriber is emailed. One whose `ref` was imported before stays as it is, so an import can be repeated. One that is not valid holds up no other. At most 5,000 of an organization.',
      scope: 'write',
      body: importIncidentsSchema,
      documentedBody: documentedIncidentImportSchema,
      maxValues: MAX_IMPORT_VALUES,
      output: incidentImportSchema,
      run: ({ ctx, params, body }) => importIncidents(ctx, params.slug ?? '', body),
    }),
  },
  '/status-pages/{slug}/subscribers': {
    GET: listOperation({
      operationId: 'listSubscribers',
      summary: 'List subscribers of a status page',
      description:
        'Newest first. `X-Total-Count` contains the total number. Requires the scope `write`, because it contains addresses.',
      scope: 'write',
      query: subscribersQuerySchema,
      item: subscriberSchema,
      run: ({ ctx, params, query }) => listSubscribers(ctx, params.slug ?? '', query),
    }),
  },
  '/status-pages/{slug}/subscribers/export': {
    GET: csvOperation({
      operationId: 'exportSubscribers',
      summary: 'Export the subscribers of a status page as CSV',
      description: 'Newest first, as a stream. Requires the scope `write`, because it contains addresses.',
      scope: 'write',
      query: subscriberExportSchema,
      name: 'subscribers',
      run: ({ ctx, params, query }) => exportSubscribers(ctx, params.slug ?? '', query),
    }),
  },
  '/status-pages/{slug}/subscribers/import': {
    POST: operation({
      operationId: 'importSubscribers',
      summary: 'Import subscribers of a status page',
      description:
        'Each new address is emailed a link and counts once it is confirmed, unless you declare that all confirmed elsewhere. A line that is not valid holds up no other.',
      scope: 'write',
      body: importSubscribersSchema,
      output: subscriberImportSchema,
      run: ({ ctx, params, body }) => importSubscribers(ctx, params.slug ?? '', body),
    }),
  },
  '/status-pages/{slug}/subscribers/{id}': {
    DELETE: operation({
      operationId: 'removeSubscriber',
      summary: 'Remove a subscriber of a status page',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params }) => removeSubscriber(ctx, params.slug ?? '', params.id ?? ''),
    }),
  },
  '/status-pages/{slug}/tokens': {
    GET: listOperation({
      operationId: 'listPageTokens',
      summary: 'List the tokens of a status page',
      scope: 'read',
      query: namedListQuery,
      item: pageTokenSchema,
      run: async ({ ctx, params, query }) =>
        searchAndPage(await listPageTokens(ctx, params.slug ?? ''), query, ({ name, hint }) => [name, hint]),
    }),
    POST: operation({
      operationId: 'createPageToken',
      summary: 'Create a token for a status page',
      description:
        'Programs with it can read the feeds, calendar, JSON, badge and embed of the page while it is private. It is returned only once. At most 20 per page.',
      scope: 'write',
      body: createPageTokenSchema,
      output: newPageTokenSchema,
      run: ({ ctx, params, body }) => createPageToken(ctx, params.slug ?? '', body),
      status: 201,
    }),
  },
  '/status-pages/{slug}/tokens/{tokenId}': {
    DELETE: operation({
      operationId: 'revokePageToken',
      summary: 'Revoke a token of a status page',
      description: 'It ends at once.',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params: { slug = '', tokenId = '' } }) => revokePageToken(ctx, { slug, tokenId }),
    }),
  },
  '/status-pages/{slug}/tokens/{tokenId}/rotate': {
    POST: operation({
      operationId: 'rotatePageToken',
      summary: 'Rotate a token of a status page',
      description:
        'Creates a successor, which is returned only once. The old token keeps working during the overlap.',
      scope: 'write',
      bodyIsOptional: true,
      body: rotateTokenSchema,
      output: newPageTokenSchema,
      status: 201,
      run: ({ ctx, params: { slug = '', tokenId = '' }, body }) =>
        rotatePageToken(ctx, { slug, tokenId }, body),
    }),
  },
  '/status-pages/{slug}/verify-domain': {
    POST: operation({
      operationId: 'verifyDomain',
      summary: 'Verify a custom domain',
      description: VERIFY_DOMAIN,
      scope: 'write',
      errors: ['PLAN_LIMIT_EXCEEDED'],
      output: statusPageSchema,
      run: ({ ctx, params }) =>
        verifyCustomDomain(ctx, params.slug ?? '', readPageSettings(getEnvironment())),
    }),
  },
});
