import { getEnvironment } from '@/lib/env';

/** Whether people reach the app over https, as APP_URL says; cookies are marked secure then. */
export function isSecureApp(): boolean {
  return getEnvironment().APP_URL?.startsWith('https:') ?? false;
}
