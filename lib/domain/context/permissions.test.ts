import { describe, expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import type { Actor } from './organization-context';
import { ACTIONS, type Action, permits, ROLES, requirePermission } from './permissions';

const person = (role: (typeof ROLES)[number]): Actor => ({ kind: 'user', userId: 'usr_1', role });
const key = (scope: 'read' | 'write'): Actor => ({ kind: 'key', keyId: 'key_1', scope });
const actions = Object.keys(ACTIONS) as Action[];
const allowed = (actor: Actor) => actions.filter((action) => permits({ actor }, action));

describe('roles', () => {
  it('a viewer only reads, and neither invitations nor the audit log', () => {
    expect(allowed(person('viewer')).every((action) => action.endsWith('.read'))).toBe(true);
    expect(allowed(person('viewer'))).not.toContain('audit.read');
    expect(allowed(person('viewer'))).not.toContain('invitation.read');
  });

  it('a member manages neither members nor keys nor the organization', () => {
    const more = allowed(person('member')).filter((action) => !action.endsWith('.read'));
    expect(more.filter((action) => /^(member|invitation|api-key|organization)\./.test(action))).toEqual([]);
    expect(more).toContain('monitor.create');
  });

  it('an admin may all but what only an owner answers for', () => {
    const missing = actions.filter((action) => !allowed(person('admin')).includes(action));
    expect(missing).toEqual(['organization.transfer', 'organization.delete', 'organization.change-plan']);
  });

  it('each role may what those before it may', () => {
    const sets = ROLES.map((role) => allowed(person(role)));
    for (const [index, more] of sets.entries())
      expect(more).toEqual(expect.arrayContaining(sets[index - 1] ?? []));
    expect(actions.filter((action) => !sets.at(-1)?.includes(action))).toEqual(['organization.change-plan']);
  });
});

describe('API keys', () => {
  it('a read key changes nothing', () => {
    expect(allowed(key('read')).every((action) => action.endsWith('.read'))).toBe(true);
  });

  it('no key renames, hands over or deletes the organization, or takes over an account', () => {
    const missing = actions.filter((action) => !allowed(key('write')).includes(action));
    expect(missing).toEqual([
      'member.reset-password',
      'organization.rename',
      'organization.transfer',
      'organization.delete',
      'organization.change-plan',
    ]);
  });
});

it('a refusal says what is needed instead', () => {
  const refusal = (actor: Actor, action: Action) => {
    try {
      requirePermission({ actor }, action);
      return null;
    } catch (error) {
      return error instanceof DomainError ? `${error.code} ${error.message}` : error;
    }
  };
  expect(refusal(person('viewer'), 'monitor.create')).toBe(
    'FORBIDDEN Your role is viewer; this needs the role member or above. Ask an owner or an admin.',
  );
  expect(refusal(key('read'), 'monitor.create')).toBe(
    'FORBIDDEN This API key may only read; use one with the scope "write".',
  );
  expect(refusal(key('write'), 'organization.delete')).toBe(
    'FORBIDDEN No API key may do this; a person does it in the dashboard.',
  );
  expect(refusal(person('owner'), 'organization.change-plan')).toBe(
    'FORBIDDEN Only the operator of this service may do this, at the command line.',
  );
  expect(refusal({ kind: 'operator' }, 'organization.delete')).toBeNull();
});
