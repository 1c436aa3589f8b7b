import 'server-only';
import { createPasswordThrottle, type PasswordThrottle } from '@/lib/web/auth/password-throttle';
import { getWeb } from './server-services';

let throttle: PasswordThrottle | undefined;

/**
 * The throttle of this web process. Not a part of `getWeb`, which is shared by all evaluations of a module: its refusals
 * would be of another evaluation's `DomainError`, and taken for faults. The counts are in the database anyway.
 */
export function getPasswordThrottle(): PasswordThrottle {
  throttle ??= createPasswordThrottle(getWeb().counting);
  return throttle;
}
