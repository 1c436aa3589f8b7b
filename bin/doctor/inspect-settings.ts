import type { Environment } from '@/lib/env';
import { type DoctorFinding, ok, warning } from './finding';

type Settings = Pick<Environment, 'APP_URL'> & {
  /** TRUSTED_PROXIES as it was set, `none` included. */
  trustedProxies: string | undefined;
};

/** What valid settings leave out or weaken. */
export function inspectSettings({ APP_URL, trustedProxies }: Settings): DoctorFinding[] {
  return [
    ok('settings', 'All settings are valid.'),
    inspectAddress(APP_URL),
    trustedProxies
      ? ok('proxies', `TRUSTED_PROXIES is ${trustedProxies}.`)
      : warning(
          'proxies',
          'TRUSTED_PROXIES is not set: whether a visitor or a proxy connects is unknown, so visitors are limited together.',
          'Set TRUSTED_PROXIES to the addresses of your proxies, or to none if visitors connect directly.',
        ),
  ];
}

function inspectAddress(url: string | undefined): DoctorFinding {
  if (url === undefined) {
    return warning(
      'APP_URL',
      'APP_URL is not set: emails and notifications have no links.',
      'Set APP_URL to the address at which people open Pharos, such as https://status.example.com.',
    );
  }
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || hostname === 'localhost') return ok('APP_URL', `APP_URL is ${url}.`);
  return warning(
    'APP_URL',
    `APP_URL is ${url}: passwords and sessions are not encrypted on their way, and there are no passkeys.`,
    'Put a proxy with a certificate in front of Pharos, and set APP_URL to its https address.',
  );
}
