import { expect, it } from 'vitest';
import { type Access, type AccessProof, decideAccess, type Requested } from './decide-access';

const NOTHING: AccessProof = { hasToken: false, hasPass: false, isMember: null, isAllowedAddress: false };
const TOKEN = { ...NOTHING, hasToken: true };
const PASS = { ...NOTHING, hasPass: true };
const MEMBER = { ...NOTHING, isMember: true };
const STRANGER = { ...NOTHING, isMember: false };
const ADDRESS = { ...NOTHING, isAllowedAddress: true };

type Row = Record<Requested, Access>;
const both = (access: Access): Row => ({ document: access, data: access });
const toData: Row = { document: 'hide', data: 'show' };

it.each([
  ['public', 'nothing', NOTHING, both('show')],

  ['password', 'nothing', NOTHING, { document: 'askPassword', data: 'hide' }],
  ['password', 'a token', TOKEN, { document: 'askPassword', data: 'show' }],
  ['password', 'a pass', PASS, both('show')],
  ['password', 'a membership', MEMBER, { document: 'askPassword', data: 'hide' }],
  ['password', 'an allowed address', ADDRESS, { document: 'askPassword', data: 'hide' }],

  ['ip', 'nothing', NOTHING, both('hide')],
  ['ip', 'a token', TOKEN, toData],
  ['ip', 'a pass', PASS, both('hide')],
  ['ip', 'a membership', MEMBER, both('hide')],
  ['ip', 'an allowed address', ADDRESS, both('show')],

  ['members', 'nothing', NOTHING, { document: 'askSignIn', data: 'hide' }],
  ['members', 'a token', TOKEN, { document: 'askSignIn', data: 'show' }],
  ['members', 'a pass', PASS, both('show')],
  ['members', 'a membership', MEMBER, both('show')],
  ['members', 'another membership', STRANGER, both('hide')],
  ['members', 'an allowed address', ADDRESS, { document: 'askSignIn', data: 'hide' }],
] as const)('%s with %s', (visibility, _, proof, expected) => {
  for (const requested of ['document', 'data'] as const) {
    expect([requested, decideAccess(visibility, requested, proof)]).toEqual([requested, expected[requested]]);
  }
});
