import { z } from 'zod';
import { isRecord, looseRecord, looseText, looseWord } from '../files/loose';
import { httpSchema } from './http-module';
import { tcpSchema } from './tcp-module';

/** A module of the exporter: https://github.com/prometheus/blackbox_exporter/blob/HEAD/CONFIGURATION.md. */
const moduleSchema = z.object({
  prober: looseText.transform((prober) => prober ?? ''),
  timeout: looseWord,
  http: looseRecord.pipe(httpSchema),
  tcp: looseRecord.pipe(tcpSchema),
  dns: looseRecord,
});

export type Module = z.output<typeof moduleSchema> & {
  /** What is not certain of it, as a sentence; null if the file has it. */
  doubt: string | null;
};

const shipped = (module: object): Module => ({
  ...moduleSchema.parse(module),
  doubt: 'The module is not in the file: it is taken from the configuration that comes with the exporter.',
});
const ofProber = (prober: string, from: string): Module => ({
  ...moduleSchema.parse({ prober }),
  doubt: `The module is not in the file: only its type is taken, from ${from}.`,
});

/** Those of https://github.com/prometheus/blackbox_exporter/blob/HEAD/blackbox.yml that are used by their names. */
const SHIPPED: ReadonlyMap<string, Module> = new Map([
  ['http_2xx', shipped({ prober: 'http' })],
  ['http_post_2xx', shipped({ prober: 'http', http: { method: 'POST' } })],
  ['tcp_connect', shipped({ prober: 'tcp' })],
  ['ssh_banner', shipped({ prober: 'tcp', tcp: { query_response: [{ expect: '^SSH-2.0-' }] } })],
  ['icmp', shipped({ prober: 'icmp' })],
]);

const PROBERS_BY_NAME: readonly [RegExp, Module][] = [
  [/icmp|ping/i, ofProber('icmp', 'its name')],
  [/dns/i, ofProber('dns', 'its name')],
  [/grpc/i, ofProber('grpc', 'its name')],
  [/tcp|tls|ssh|smtp|imap|pop3|irc/i, ofProber('tcp', 'its name')],
  [/http/i, ofProber('http', 'its name')],
];

const PROBERS_BY_TARGET: readonly [RegExp, Module][] = [
  [/^https?:\/\/|^[^/]+\//i, ofProber('http', 'the target')],
  [/:\d+$/, ofProber('tcp', 'the target')],
  [/(?:)/, ofProber('icmp', 'the target')],
];

/** The modules of a file, those of several documents together. */
export function readModules(documents: readonly unknown[]): Map<string, Module> {
  const all = documents.filter(isRecord).flatMap(({ modules }) => Object.entries(looseRecord.parse(modules)));
  return new Map(
    all.map(([name, module]) => [name, { ...looseRecord.pipe(moduleSchema).parse(module), doubt: null }]),
  );
}

/** The module of this name; if the file does not have it, what its name or else the target implies. */
export function findModule(modules: ReadonlyMap<string, Module>, name: string, target: string): Module {
  const known = modules.get(name) ?? SHIPPED.get(name);
  if (known !== undefined) return known;
  const matches = [
    ...PROBERS_BY_NAME.filter(([pattern]) => pattern.test(name)),
    ...PROBERS_BY_TARGET.filter(([pattern]) => pattern.test(target)),
  ];
  return matches[0]?.[1] ?? ofProber('', 'its name');
}
