import { expect, it } from 'vitest';
import {
  changePasswordSchema,
  createOrganizationSchema,
  newPasswordSchema,
  resetPasswordSchema,
  signInSchema,
  signUpSchema,
} from './people';

const HUGE = 'x'.repeat(1_000_000);
const GOOD = 'correct horse';
const email = 'ada@example.com';

it.each([
  ['set-up', createOrganizationSchema, { name: 'Acme', plan: 'pro', email, password: HUGE }, 'password'],
  ['sign-in', signInSchema, { email, password: HUGE }, 'password'],
  ['sign-up', signUpSchema, { token: 't', name: 'Ada', password: HUGE }, 'password'],
  ['an invitation', newPasswordSchema, { password: HUGE }, 'password'],
  ['a reset', resetPasswordSchema, { token: 't', password: HUGE }, 'password'],
  [
    'a change, as the current one',
    changePasswordSchema,
    { currentPassword: HUGE, newPassword: GOOD },
    'currentPassword',
  ],
  [
    'a change, as the new one',
    changePasswordSchema,
    { currentPassword: GOOD, newPassword: HUGE },
    'newPassword',
  ],
])(
  'a password of 1 MB at %s is rejected before it is hashed, naming the field',
  (_, schema, input, field) => {
    const { error } = schema.safeParse(input);
    expect(error?.issues).toMatchObject([{ path: [field], message: 'must be at most 256 characters' }]);
  },
);
