import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext, Role } from './organization-context';

/** Roles from the least to the most: each may what those before it may. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const satisfies readonly Role[];

/**
 * Who may do something: people from a role on (or none of them), API keys from a scope on. The operator at the command
 * line may all.
 */
export type Permission = { role: Role | 'never'; key: 'read' | 'write' | 'never' };

const read = { role: 'viewer', key: 'read' } as const;
const write = { role: 'member', key: 'write' } as const;
const manage = { role: 'admin', key: 'write' } as const;
const own = { role: 'owner', key: 'never' } as const;
const operate = { role: 'never', key: 'never' } as const;

/**
 * Everything that can be asked of an organization, and who may ask it (decisions.md, "People" and "API keys"). Every verb
 * that takes an `OrganizationContext` names its action here. What only a person can answer for is closed to keys:
 * the organization itself and whose it is.
 */
export const ACTIONS = {
  'monitor.read': read,
  'monitor.create': write,
  'monitor.update': write,
  'monitor.delete': write,
  'monitor.test': write,

  'incident.read': read,
  'incident.create': write,
  'incident.update': write,
  'incident.delete': write,

  'maintenance.read': read,
  'maintenance.create': write,
  'maintenance.update': write,
  'maintenance.delete': write,

  'status-page.read': read,
  'status-page.create': write,
  'status-page.update': write,
  'status-page.delete': write,

  'subscriber.read': read,
  'subscriber.remove': write,

  'webhook.read': read,
  'webhook.create': write,
  'webhook.update': write,
  'webhook.delete': write,
  'webhook.test': write,
  'webhook.rotate-secret': write,
  'webhook.recover': write,

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

  'invitation.read': manage,
  'invitation.create': manage,
  'invitation.revoke': manage,

  'organization.read': read,
  'organization.rename': { role: 'admin', key: 'never' },
  'organization.transfer': own,
  'organization.delete': own,
  'organization.change-plan': operate,

  // The log shows people's addresses: not for every key that a dashboard elsewhere carries.
  'audit.read': manage,
} as const satisfies Record<string, Permission>;

const READ_ONLY_KEY = 'This API key may only read; use one with the scope "write".';

export type Action = keyof typeof ACTIONS;

/** Whether the actor may do it; screens ask this to know what to offer, the verbs decide again. */
export function permits({ actor }: Pick<OrganizationContext, 'actor'>, action: Action): boolean {
  const { role, key }: Permission = ACTIONS[action];
  switch (actor.kind) {
    case 'operator':
      return true;
    case 'key':
      return key === 'read' || (key === 'write' && actor.scope === 'write');
    case 'user':
      return role !== 'never' && ROLES.indexOf(actor.role) >= ROLES.indexOf(role);
  }
}

/** Refuses (FORBIDDEN) an actor that may not do it, and says who may. */
export function requirePermission(ctx: Pick<OrganizationContext, 'actor'>, action: Action): void {
  if (!permits(ctx, action)) throw new DomainError('FORBIDDEN', explainRefusal(ctx.actor, ACTIONS[action]));
}

/** Refuses (FORBIDDEN) a key that may only read, before its request is looked at any closer. */
export function requireWriteScope({ actor }: Pick<OrganizationContext, 'actor'>): void {
  if (actor.kind === 'key' && actor.scope === 'read') {
    throw new DomainError('FORBIDDEN', READ_ONLY_KEY);
  }
}

function explainRefusal(actor: OrganizationContext['actor'], { role, key }: Permission): string {
  if (role === 'never') return 'Only the operator of this service may do this, at the command line.';
  if (actor.kind === 'key') {
    return key === 'write' ? READ_ONLY_KEY : 'No API key may do this; a person does it in the dashboard.';
  }
  const own = actor.kind === 'user' ? `Your role is ${actor.role}` : 'You';
  return `${own}; this needs the role ${role}${role === 'owner' ? '' : ' or above'}. Ask an owner or an admin.`;
}
