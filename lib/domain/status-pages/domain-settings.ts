import type { Environment } from '@/lib/env';

/** What verbs on pages have to know of the installation: the app's own address, undefined where it is not set. */
export type AppAddress = { appUrl: string | undefined };

/** How it is found out whose a custom domain is. */
export type DomainSettings = AppAddress & {
  /** False (CUSTOM_DOMAIN_VERIFY=off): whoever names a domain first has it, for networks where nobody else can. */
  needsProof: boolean;
  /** DNS_SERVERS; empty: the system's. */
  dnsServers: readonly string[];
};

/** The settings of this installation. */
export function readDomainSettings(environment: Environment): DomainSettings {
  const { APP_URL: appUrl, CUSTOM_DOMAIN_VERIFY, DNS_SERVERS: dnsServers } = environment;
  return { appUrl, needsProof: CUSTOM_DOMAIN_VERIFY === 'on', dnsServers };
}
