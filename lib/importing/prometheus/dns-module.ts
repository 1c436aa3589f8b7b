import { z } from 'zod';
import { isRecord, looseFlag, looseTexts, looseWord } from '../files/loose';
import { leaveOut } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import { NO_TARGET } from '../plan/reasons';
import { shown } from '../plan/sentences';
import { dnsTarget } from '../plan/targets';

const dnsSchema = z.object({
  query_name: looseWord,
  query_type: looseWord,
  query_class: looseWord,
  transport_protocol: looseWord,
  dns_over_tls: looseFlag,
  valid_rcodes: looseTexts,
});

const NO_NAME =
  'The file does not say which name to resolve. Add the modules of the exporter (blackbox.yml) to the file, after a line with three hyphens.';

/** Makes the monitor a query of the `dns` prober, whose target is the resolver. Returns why it cannot be imported. */
export function setDnsModule(
  draft: Draft,
  settings: Record<string, unknown>,
  resolver: string,
): string | null {
  const dns = dnsSchema.parse(settings);
  if (dns.query_name === null) return NO_NAME;
  if (dns.dns_over_tls === true) return 'DNS over TLS is not supported. Query a resolver over UDP.';
  const type = (dns.query_type ?? 'ANY').toUpperCase();
  const target = dnsTarget(dns.query_name.trim().replace(/\.$/, ''), type, resolver, null);
  if (target === null || (dns.query_class ?? 'IN').toUpperCase() !== 'IN')
    return target === null ? `Records of type ${shown(type)} are not supported.` : NO_TARGET;
  draft.setTarget('dns', target);
  if (dns.transport_protocol === 'tcp') draft.change('The transport protocol is not imported.');
  setCodes(draft, dns.valid_rcodes);
  for (const list of ['answer', 'authority', 'additional'])
    if (isRecord(settings[`validate_${list}_rrs`]))
      leaveOut(draft, `the ${list} records`, 'it is about whole records, with name and TTL');
  return null;
}

function setCodes(draft: Draft, codes: readonly string[]): void {
  const [code = 'NOERROR', ...others] = codes;
  if (code === 'NXDOMAIN' && others.length === 0) draft.body.expectedAnswer = 'none';
  else if (code !== 'NOERROR' || others.length > 0)
    leaveOut(draft, 'the response code', 'Pharos expects records, or none');
}
