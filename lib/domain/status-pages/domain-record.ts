/** The TXT record that shows whose a domain is. It stands beside the domain, for a name with a CNAME can have no other record. */
export function domainRecord(domain: string, token: string): { name: string; value: string } {
  return { name: `_pharos.${domain}`, value: `pharos-verify=${token}` };
}
