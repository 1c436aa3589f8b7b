import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext, Role } from './organization-context';

/** From least to most permissions: each role includes those before it. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const satisfies readonly Role[];

/** Who may do something: the minimum role and the minimum API key scope. The operator at the command line may do everything. */
export type Permission = { role: Role | 'never'; key: 'read' | 'write' | 'never' };

const read = { role: 'viewer', key: 'read' } as const;
const write = { role: 'member', key: 'write' } as const;
const manage = { role: 'admin', key: 'write' } as const;
const own = { role: 'owner', key: 'never' } as const;
const operate = { role: 'never', key: 'never' } as const;

/**
 * Every action on an organization and who may perform it. Every verb that takes an `OrganizationContext` requires one of
 * these. API keys cannot change the organization itself or its ownership.
 */
export const ACTIONS = {
  'monitor.read': read,
  'monitor.create': write,
  'monitor.update': write,
  'monitor.delete': write,
  'monitor.test': write,
  'monitor.rotate-heartbeat': write,

  'incident.read': read,
  'incident.create': write,
  'incident.import': write,
  'incident.update': write,
  'incident.acknowledge': write,
  'incident.delete': write,

  'incident-template.read': read,
  'incident-template.create': write,
  'incident-template.update': write,
  'incident-template.delete': write,

  'maintenance.read': read,
  'maintenance.create': write,
  'maintenance.update': write,
  'maintenance.delete': write,

  'correction.read': read,
  'correction.create': write,
  'correction.delete': write,

  'marker.read': read,
  'marker.create': write,
  'marker.delete': write,

  'status-page.read': read,
  'status-page.create': write,
  'status-page.update': write,
  'status-page.delete': write,

  'page-token.read': read,
  'page-token.create': write,
  'page-token.rotate': write,
  'page-token.revoke': write,

  // Addresses are for those who may edit: not for viewers and the read keys of external dashboards.
  'subscriber.read': write,
  'subscriber.import': write,
  // Decides for others that they agreed to be emailed.
  'subscriber.declare-confirmed': manage,
  'subscriber.remove': write,

  'region.read': read,
  'region.create': manage,
  'region.update': manage,
  'region.delete': manage,

  'probe.read': read,
  'probe-token.read': read,
  'probe-token.create': manage,
  'probe-token.rotate': manage,
  'probe-token.revoke': manage,

  'webhook.read': read,
  'webhook.create': write,
  'webhook.update': write,
  'webhook.delete': write,
  'webhook.test': write,
  'webhook.rotate-secret': write,
  'webhook.recover': write,

  // Addresses are for those who may edit, as are those of subscribers.
  'email-recipient.read': write,
  'email-recipient.create': write,
  'email-recipient.update': write,
  'email-recipient.delete': write,
  'email-recipient.resend': write,

  'delivery.read': read,
  'delivery.replay': write,

  'api-key.read': read,
  'api-key.create': manage,
  'api-key.update': manage,
  'api-key.rotate': manage,
  'api-key.revoke': manage,

  'member.read': read,
  'member.change': manage,
  'member.remove': manage,
  'member.reset-password': { role: 'admin', key: 'never' },
  'member.read-second-factor': { role: 'admin', key: 'never' },
  'member.reset-second-factor': own,

  'invitation.read': manage,
  'invitation.create': manage,
  'invitation.revoke': manage,

  'organization.read': read,
  'organization.rename': { role: 'admin', key: 'never' },
  'organization.change-reminders': { role: 'admin', key: 'never' },
  'organization.dismiss-first-steps': { role: 'admin', key: 'never' },
  'organization.require-second-factor': own,
  'organization.transfer': own,
  'organization.delete': own,
  'organization.change-plan': operate,

  // Anyone who sets it receives the reset links of everybody: only in an installation of one organization.
  'mail-server.change': own,

  // The log contains email addresses: not for the read keys of external dashboards.
  'audit.read': manage,
} as const satisfies Record<string, Permission>;

const READ_ONLY_KEY = 'This API key is read-only. Use a key with the write scope.';

export type Action = keyof typeof ACTIONS;

/** Whether the actor may perform an action. Screens use it to choose what to offer; the verbs check again. */
export function permits({ actor }: Pick<OrganizationContext, 'actor'>, action: Action): boolean {
  const { role, key }: Permission = ACTIONS[action];
  switch (actor.kind) {
    case 'operator':
      return true;
    case 'key':
      return key === 'read' || (key === 'write' && actor.scope === 'write');
    case 'user':
      return role !== 'never' && ROLES.indexOf(actor.role) >= ROLES.indexOf(role);
    // The link in a message is for this.
    case 'endpoint':
      return action === 'incident.acknowledge';
  }
}

/** Throws FORBIDDEN, with who may perform the action, unless the actor may. */
export function requirePermission(ctx: Pick<OrganizationContext, 'actor'>, action: Action): void {
  if (!permits(ctx, action)) throw new DomainError('FORBIDDEN', explainRefusal(ctx.actor, ACTIONS[action]));
}

/** Throws FORBIDDEN for a read-only key, before its request is parsed. */
export function requireWriteScope({ actor }: Pick<OrganizationContext, 'actor'>): void {
  if (actor.kind === 'key' && actor.scope === 'read') throw new DomainError('FORBIDDEN', READ_ONLY_KEY);
}

function explainRefusal(actor: OrganizationContext['actor'], { role, key }: Permission): string {
  if (role === 'never') return 'Only the operator of this service can do this, at the command line.';
  if (actor.kind === 'key') {
    return key === 'write' ? READ_ONLY_KEY : 'API keys cannot do this. Use the dashboard instead.';
  }
  const own = actor.kind === 'user' ? `Your role is ${actor.role}. ` : '';
  return `${own}This requires the ${role} role${role === 'owner' ? '' : ' or higher'}. Ask an owner or admin.`;
}
