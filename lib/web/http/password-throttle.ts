import 'server-only';
import { createPasswordThrottle, type PasswordThrottle } from '@/lib/web/auth/password-throttle';
import { getWeb } from './server-services';

let throttle: PasswordThrottle | undefined;

/**
 * The throttle of this web process. Not part of `getWeb`, which is shared by all instances of a module: its
 * errors would be another instance's `DomainError`, and treated as internal errors. The counts are in the
 * database anyway.
 */
export function getPasswordThrottle(): PasswordThrottle {
  throttle ??= createPasswordThrottle(getWeb().counting);
  return throttle;
}
