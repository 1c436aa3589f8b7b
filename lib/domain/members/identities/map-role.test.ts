import { expect, it } from 'vitest';
import { mapRole } from './map-role';

const RULES = [
  { value: 'staff', role: 'member' },
  { value: 'pharos-admins', role: 'admin' },
  { value: 'urn:example:owner', role: 'owner' },
] as const;

it.each([
  [{ groups: ['staff', 'pharos-admins'] }, 'groups', 'admin'],
  [{ groups: 'staff' }, 'groups', 'member'],
  [{ groups: ['urn:example:owner'] }, 'groups', 'owner'],
  [{ groups: ['others'] }, 'groups', null],
  [{ groups: ['staffing', 'STAFF', 7, null, { staff: true }] }, 'groups', null],
  [{}, 'groups', null],
  [{ groups: 'x' }, 'constructor.name', null],
  [{ realm_access: { roles: ['staff'] } }, 'realm_access.roles', 'member'],
  [{ realm_access: 'staff' }, 'realm_access.roles', null],
  [{ 'https://example.com/roles': ['staff'] }, 'https://example.com/roles', 'member'],
])('%j gives, by %s, the role %s', (claims, claim, role) => {
  expect(mapRole(claims, claim, RULES)).toBe(role);
});
