import { issueApiKey, revokeApiKey, rotateApiKey, updateApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { getApiKey, listApiKeys, readKeyCreators, readMe } from '@/lib/domain/api-keys/read-api-keys';
import { exportAudit, listAudit } from '@/lib/domain/audit/read-audit';
import { readEdits } from '@/lib/domain/audit/read-edits';
import { changeRole, removeMember, transferOwnership } from '@/lib/domain/members/change-members';
import { inviteMember, listInvitations, revokeInvitation } from '@/lib/domain/members/invitations';
import { getMember, listMembers } from '@/lib/domain/members/read-members';
import {
  readFactorHolders,
  readFactorRequirement,
  requireSecondFactor,
} from '@/lib/domain/members/require-second-factor';
import { readEmailChannel } from '@/lib/domain/notices/read-email-channel';
import { renameOrganization } from '@/lib/domain/organizations/change-organization';
import { dismissFirstSteps, readFirstSteps } from '@/lib/domain/organizations/first-steps';
import { changeReminders, readReminders } from '@/lib/domain/organizations/reminders';
import { createPasswordReset } from '@/lib/domain/people/passwords';
import { resetSecondFactor } from '@/lib/domain/people/second-factor/reset-second-factor';
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
import { getPageImage } from '@/lib/domain/status-pages/images/read-page-image';
import { importIncidents } from '@/lib/domain/status-pages/import/import-incidents';
import { previewPage } from '@/lib/domain/status-pages/public/read-page-view';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import { readPageStates } from '@/lib/domain/status-pages/read-page-status';
import {
  getStatusPage,
  listStatusPages,
  searchStatusPages,
} from '@/lib/domain/status-pages/read-status-pages';
import { upsertStatusPage } from '@/lib/domain/status-pages/upsert-status-page';
import { verifyCustomDomain } from '@/lib/domain/status-pages/verify-custom-domain';
import { importSubscribers } from '@/lib/domain/subscribers/import/import-subscribers';
import {
  countSubscribers,
  exportSubscribers,
  listSubscribers,
  removeSubscriber,
} from '@/lib/domain/subscribers/read-subscribers';
import { aKey, aMember, aMonitor, aPage, PAGE, reads, SEARCH, type VerbCall, writes } from './verb-call';
import { AT, creating, inputs, PROVED, UNPROVED, unique, type World } from './world';

const aPageImage = (world: World) => world.pageImage();

/** What an organization has already is no change. */
let nextMinutes = 5;

const anImported = (ref: string) => ({
  ref,
  title: 'Checkout was slow',
  severity: 'major',
  startedAt: '2025-03-01T12:00:00.000Z',
  resolvedAt: '2025-03-01T13:00:00.000Z',
  rows: ['API'],
  updates: [{ status: 'resolved', message: 'It is over.', createdAt: '2025-03-01T13:00:00.000Z' }],
});

/** The verbs on members, API keys, the audit log and status pages. */
export const ACCOUNT_CALLS: Record<string, VerbCall> = {
  'api-keys/issueApiKey': writes('api-key.create', (ctx) => issueApiKey(ctx, inputs.apiKey())),
  'api-keys/listApiKeys': reads('api-key.read', listApiKeys),
  'api-keys/getApiKey': reads('api-key.read', getApiKey, aKey),
  'api-keys/readKeyCreators': reads('api-key.read', readKeyCreators),
  'api-keys/readMe': reads('organization.read', readMe),
  'api-keys/revokeApiKey': writes('api-key.revoke', revokeApiKey, aKey),
  'api-keys/rotateApiKey': writes(
    'api-key.rotate',
    (ctx, id) => rotateApiKey(ctx, id, { overlapHours: 1 }),
    aKey,
  ),
  'api-keys/updateApiKey': writes(
    'api-key.update',
    (ctx, id) => updateApiKey(ctx, id, { name: 'Renamed' }),
    aKey,
  ),

  'audit/readEdits': reads(
    'member.read',
    (ctx, id) => readEdits(ctx, [id], { since: new Date(0), until: new Date(), limit: 10 }),
    aMonitor,
  ),
  'audit/listAudit': reads('audit.read', (ctx) => listAudit(ctx, PAGE)),
  'audit/exportAudit': reads('audit.read', (ctx) => exportAudit(ctx, {}).next()),

  'members/listMembers': reads('member.read', listMembers),
  'members/getMember': reads('member.read', getMember, aMember),
  'members/changeRole': writes(
    'member.change',
    (ctx, id) => changeRole(ctx, id, { role: 'member' }),
    aMember,
  ),
  'members/removeMember': writes('member.remove', removeMember, aMember),
  'members/transferOwnership': writes('organization.transfer', transferOwnership, aMember),
  'members/listInvitations': reads('invitation.read', listInvitations),
  'members/inviteMember': writes('invitation.create', (ctx) => inviteMember(ctx, inputs.invitation(), AT)),
  'members/revokeInvitation': writes(
    'invitation.revoke',
    (ctx, id) => revokeInvitation(ctx, id),
    (world: World) => world.invitation(),
  ),

  'notices/readEmailChannel': reads('member.read', readEmailChannel),

  'organizations/renameOrganization': writes('organization.rename', (ctx) =>
    renameOrganization(ctx, { name: unique('Acme') }),
  ),
  'organizations/readReminders': reads('organization.read', readReminders),
  'organizations/changeReminders': writes('organization.change-reminders', (ctx) =>
    changeReminders(ctx, { reminderMinutes: nextMinutes++ }),
  ),
  'organizations/readFirstSteps': reads('organization.read', (ctx) =>
    readFirstSteps(ctx, { isAnyoneNotified: false }),
  ),
  'organizations/dismissFirstSteps': reads('organization.dismiss-first-steps', dismissFirstSteps),

  'members/readFactorRequirement': reads('organization.read', readFactorRequirement),
  'members/requireSecondFactor': writes(
    'organization.require-second-factor',
    (ctx) => requireSecondFactor(ctx, { graceDays: null }),
    (world: World) => world.factorRequirement(),
  ),
  'members/readFactorHolders': reads('member.read-second-factor', readFactorHolders),
  'people/resetSecondFactor': writes('member.reset-second-factor', resetSecondFactor, (world: World) =>
    world.memberWithFactor(),
  ),
  'people/createPasswordReset': writes('member.reset-password', createPasswordReset, aMember),

  'status-pages/createStatusPage': writes('status-page.create', (ctx) =>
    createStatusPage(ctx, inputs.statusPage(), UNPROVED),
  ),
  'status-pages/upsertStatusPage': writes('status-page.create', (ctx) => {
    const page = inputs.statusPage();
    return upsertStatusPage(ctx, page.slug, creating(page), UNPROVED);
  }),
  'status-pages/updateStatusPage': writes(
    'status-page.update',
    (ctx, slug) => updateStatusPage(ctx, slug, { name: 'Emca' }, UNPROVED),
    aPage,
  ),
  'status-pages/verifyCustomDomain': writes(
    'status-page.update',
    (ctx, slug) => verifyCustomDomain(ctx, slug, PROVED),
    (world: World) => world.statusPage(`${unique('status')}.example`),
  ),
  'status-pages/deleteStatusPage': writes('status-page.delete', deleteStatusPage, aPage),
  'status-pages/listStatusPages': reads('status-page.read', (ctx) => listStatusPages(ctx, PROVED)),
  'status-pages/readAudiences': reads('status-page.read', readAudiences),
  'status-pages/searchStatusPages': reads('status-page.read', (ctx) => searchStatusPages(ctx, SEARCH)),
  'status-pages/getStatusPage': reads(
    'status-page.read',
    (ctx, slug) => getStatusPage(ctx, slug, PROVED),
    aPage,
  ),
  'status-pages/setPageImage': writes(
    'status-page.update',
    (ctx, slug) => setPageImage(ctx, { slug, place: 'favicon' }, inputs.logo(), UNPROVED),
    aPage,
  ),
  'status-pages/deletePageImage': writes(
    'status-page.update',
    (ctx, named) => deletePageImage(ctx, named, UNPROVED),
    aPageImage,
  ),
  'status-pages/getPageImage': reads(
    'status-page.read',
    (ctx, { slug, name }) => getPageImage(ctx, slug, name),
    aPageImage,
  ),
  'status-pages/previewPage': reads('status-page.read', (ctx) => previewPage(ctx, inputs.pagePreview())),
  'status-pages/readPageStates': reads('status-page.read', readPageStates),

  'status-pages/createPageToken': writes(
    'page-token.create',
    (ctx, slug) => createPageToken(ctx, slug, { name: 'Feed reader' }),
    aPage,
  ),
  'status-pages/listPageTokens': reads('page-token.read', listPageTokens, aPage),
  'status-pages/rotatePageToken': writes(
    'page-token.rotate',
    (ctx, token) => rotatePageToken(ctx, token, { overlapHours: 1 }),
    (world: World) => world.pageToken(),
  ),
  'status-pages/revokePageToken': writes('page-token.revoke', revokePageToken, (world: World) =>
    world.pageToken(),
  ),
  'subscribers/countSubscribers': reads('status-page.read', countSubscribers),
  'status-pages/importIncidents': writes(
    'incident.import',
    (ctx, slug) => importIncidents(ctx, slug, { source: 'Statuspage', incidents: [anImported(slug)] }),
    (world: World) => world.componentPage(),
  ),
  'subscribers/exportSubscribers': reads(
    'subscriber.read',
    (ctx, { slug }) => exportSubscribers(ctx, slug, {}),
    (world: World) => world.subscriber(),
  ),
  'subscribers/importSubscribers': writes(
    'subscriber.import',
    (ctx, slug) =>
      importSubscribers(ctx, slug, {
        csv: `${unique('reader')}@example.com`,
        language: 'en',
        confirmed: false,
      }),
    aPage,
  ),
  'subscribers/listSubscribers': reads(
    'subscriber.read',
    (ctx, { slug }) => listSubscribers(ctx, slug, PAGE),
    (world: World) => world.subscriber(),
  ),
  'subscribers/removeSubscriber': writes(
    'subscriber.remove',
    (ctx, { slug, id }) => removeSubscriber(ctx, slug, id),
    (world: World) => world.subscriber(),
  ),
};
