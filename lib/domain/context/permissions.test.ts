import { describe, expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import type { Actor } from './organization-context';
import { ACTIONS, type Action, permits, ROLES, requirePermission, requireWriteScope } from './permissions';

const person = (role: (typeof ROLES)[number]): Actor => ({ kind: 'user', userId: 'usr_1', role });
const key = (scope: 'read' | 'write'): Actor => ({ kind: 'key', keyId: 'key_1', scope });
const actions = Object.keys(ACTIONS) as Action[];
const allowed = (actor: Actor) => actions.filter((action) => permits({ actor }, action));

describe('roles', () => {
  it('a viewer only reads, except invitations, the audit log and addresses of subscribers', () => {
    expect(allowed(person('viewer')).every((action) => action.endsWith('.read'))).toBe(true);
    expect(allowed(person('viewer'))).not.toContain('audit.read');
    expect(allowed(person('viewer'))).not.toContain('invitation.read');
    expect(allowed(person('viewer'))).not.toContain('subscriber.read');
  });

  it('a viewer reads everything else that is read', () => {
    const reads = actions.filter((action) => action.endsWith('.read'));
    const hidden = ['subscriber.read', 'email-recipient.read', 'invitation.read', 'audit.read'];
    expect(allowed(person('viewer'))).toEqual(reads.filter((action) => !hidden.includes(action)));
  });

  it('a member changes all that is watched, published and notified', () => {
    const watched =
      /^(monitor|incident|incident-template|maintenance|correction|marker|status-page|page-token|subscriber|webhook|email-recipient|delivery)\./;
    const more = allowed(person('member')).filter((action) => !action.endsWith('.read'));
    const reserved = ['subscriber.declare-confirmed'];
    expect(more).toEqual(
      actions.filter(
        (action) => watched.test(action) && !action.endsWith('.read') && !reserved.includes(action),
      ),
    );
  });

  it('a member cannot manage members, keys or the organization', () => {
    const more = allowed(person('member')).filter((action) => !action.endsWith('.read'));
    expect(more.filter((action) => /^(member|invitation|api-key|organization)\./.test(action))).toEqual([]);
    expect(more).toContain('monitor.create');
  });

  it('an admin can do everything that is not reserved to owners', () => {
    const missing = actions.filter((action) => !allowed(person('admin')).includes(action));
    expect(missing).toEqual([
      'member.reset-second-factor',
      'organization.require-second-factor',
      'organization.transfer',
      'organization.delete',
      'organization.change-plan',
      'mail-server.change',
    ]);
  });

  it('each role includes the permissions of those before it', () => {
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

  it('only a read key is refused before its request is parsed', () => {
    expect(() => requireWriteScope({ actor: key('read') })).toThrow(
      new DomainError('FORBIDDEN', 'This API key is read-only. Use a key with the write scope.'),
    );
    const others: Actor[] = [key('write'), person('viewer'), { kind: 'operator' }];
    for (const actor of others) expect(() => requireWriteScope({ actor })).not.toThrow();
  });

  it('no key can rename, transfer or delete the organization or take over an account', () => {
    const missing = actions.filter((action) => !allowed(key('write')).includes(action));
    expect(missing).toEqual([
      'member.reset-password',
      'member.read-second-factor',
      'member.reset-second-factor',
      'organization.rename',
      'organization.change-reminders',
      'organization.dismiss-first-steps',
      'organization.require-second-factor',
      'organization.transfer',
      'organization.delete',
      'organization.change-plan',
      'mail-server.change',
    ]);
  });
});

it('the error states what is required', () => {
  const rejection = (actor: Actor, action: Action) => {
    try {
      requirePermission({ actor }, action);
      return null;
    } catch (error) {
      return error instanceof DomainError ? `${error.code} ${error.message}` : error;
    }
  };
  expect(rejection(person('viewer'), 'monitor.create')).toBe(
    'FORBIDDEN Your role is viewer. This requires the member role or higher. Ask an owner or admin.',
  );
  expect(rejection(key('read'), 'monitor.create')).toBe(
    'FORBIDDEN This API key is read-only. Use a key with the write scope.',
  );
  expect(rejection(key('write'), 'organization.delete')).toBe(
    'FORBIDDEN API keys cannot do this. Use the dashboard instead.',
  );
  expect(rejection(person('owner'), 'organization.change-plan')).toBe(
    'FORBIDDEN Only the operator of this service can do this, at the command line.',
  );
  expect(rejection(person('admin'), 'organization.delete')).toBe(
    'FORBIDDEN Your role is admin. This requires the owner role. Ask an owner or admin.',
  );
  expect(rejection({ kind: 'operator' }, 'organization.delete')).toBeNull();
});
