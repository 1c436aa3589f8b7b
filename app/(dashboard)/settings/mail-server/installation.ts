import 'server-only';
import type { Installation } from '@/lib/domain/mail-server/change-mail-server';
import { getEnvironment } from '@/lib/env';
import { getWeb } from '@/lib/web/http/server-services';

/** What decides whether people may choose the mail server of this installation. */
export function readInstallation(): Installation {
  return { signUp: getEnvironment().SIGN_UP, mail: getWeb().services.mail };
}
