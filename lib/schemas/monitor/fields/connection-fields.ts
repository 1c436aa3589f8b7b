import { z } from 'zod';
import { parseHostWithPort } from '@/lib/core/addresses';
import { text } from '@/lib/schemas/text';
import { authenticationOutput, authenticationSchema, secretAuthentication } from './authentication';
import { clientCertificateSchema } from './client-certificate';
import { field } from './field';
import { secretText } from './secrets';

const MAX_CONNECT_TO = 300;

const IP_VERSIONS = ['any', '4', '6', 'both'] as const;
const IP_VERSION_LABELS: Readonly<Record<string, string>> = {
  any: 'Any',
  4: 'IPv4 only',
  6: 'IPv6 only',
  both: 'Both, each checked',
};

/** One of a list of texts, some of which look like numbers. */
const quoted = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.map((value) => `"${value}"`).join(', ')}`);

/** The fields of monitors whose checks connect: where to, how, and how requests are authenticated. */
export const CONNECTION_FIELDS = {
  ipVersion: field(
    quoted(IP_VERSIONS).describe(
      'Over which IP version the target is reached: `any`, only `4` or `6`, or `both`. With `both`, each check is done over IPv4 and over IPv6 at the same time, so a request is sent twice; it fails if either fails, and its response time is that of the slower one',
    ),
    {
      default: 'any',
      group: 'connection',
      probed: 'resets status',
      form: {
        section: 'connection',
        label: 'IP version',
        option: (value) => IP_VERSION_LABELS[value] ?? value,
        hint: 'With both, a check fails if IPv4 or IPv6 fails. The regions need IPv6 for that.',
      },
    },
  ),
  connectTo: field(
    text(1, MAX_CONNECT_TO)
      .refine(
        (place) => parseHostWithPort(place) !== null,
        'must be a host name or an IP address, with an optional port',
      )
      .nullable()
      .meta({
        description:
          'Where to connect in place of the host of the URL: a host name or an IP address, with an optional port in place of that of the URL; null for the host. `Host`, the TLS server name and the certificate remain those of the URL. Redirects to other hosts connect there',
        examples: ['192.0.2.7:8443'],
      }),
    {
      default: null,
      group: 'request',
      probed: 'resets status',
      form: {
        section: 'connection',
        label: 'Connect to',
        placeholder: '192.0.2.7:8443',
        hint: 'A host name or address in place of the host of the URL. The request and the certificate remain those of the URL.',
      },
    },
  ),
  authentication: field(authenticationSchema, {
    output: authenticationOutput,
    default: null,
    group: 'request',
    probed: 'resets status',
    secret: secretAuthentication,
    form: {
      section: 'request',
      control: 'authentication',
      label: 'Authentication',
      hint: 'Sent to the host of the URL only. Stored encrypted.',
      hintIfSet:
        '[hidden] keeps the stored value. If you change the host of the URL or the token endpoint, enter it again.',
    },
  }),
  clientCertificate: field(clientCertificateSchema, {
    output: z.string().nullable(),
    default: null,
    group: 'request',
    probed: 'resets status',
    secret: secretText,
    form: {
      section: 'request',
      control: 'secret',
      label: 'Client certificate',
      placeholder: '-----BEGIN CERTIFICATE-----',
      hint: 'PEM with the certificate chain and the private key. Presented to the host of the URL only. Stored encrypted.',
      hintIfSet:
        'PEM with the certificate chain and the private key. [hidden] keeps the stored one. If you change the host of the URL, enter it again.',
    },
  }),
};
