import { z } from 'zod';
import {
  anything,
  isRecord,
  looseFlag,
  looseList,
  looseNumber,
  looseRecord,
  looseText,
  looseTextMap,
  looseTexts,
  looseWord,
} from '../files/loose';

const alertSchema = z.object({
  type: looseText.transform((type) => type ?? ''),
  enabled: looseFlag,
  'failure-threshold': looseNumber,
  'success-threshold': looseNumber,
});
export type GatusAlert = z.output<typeof alertSchema>;

const clientSchema = z.object({
  timeout: looseWord,
  insecure: looseFlag,
  'ignore-redirect': looseFlag,
  'dns-resolver': looseWord,
  'proxy-url': looseWord,
  oauth2: anything,
  'identity-aware-proxy': anything,
  tls: anything,
  tunnel: looseWord,
});

/** An endpoint of Gatus. */
export const endpointSchema = z.object({
  name: looseText.transform((name) => name ?? ''),
  group: looseText.transform((group) => group ?? ''),
  enabled: looseFlag,
  url: looseWord,
  method: looseWord,
  interval: looseWord,
  body: looseText,
  graphql: looseFlag,
  headers: looseTextMap,
  conditions: looseTexts,
  alerts: looseList.transform((list) => list.filter(isRecord).map((alert) => alertSchema.parse(alert))),
  'maintenance-windows': looseList,
  /** Of external endpoints. */
  heartbeat: looseRecord.transform(({ interval }) => ({ interval: looseWord.parse(interval) })),
  client: looseRecord.transform((client) => clientSchema.parse(client)),
  dns: anything.transform((dns) =>
    isRecord(dns)
      ? { type: looseWord.parse(dns['query-type']), name: looseWord.parse(dns['query-name']) }
      : null,
  ),
});
export type Endpoint = z.output<typeof endpointSchema>;

/** The thresholds that apply to alerts of a provider which set none themselves. */
export type DefaultAlerts = ReadonlyMap<string, GatusAlert>;

export function readDefaultAlerts(alerting: unknown): DefaultAlerts {
  const providers = Object.entries(looseRecord.parse(alerting));
  return new Map(
    providers.flatMap(([type, provider]) =>
      isRecord(provider) && isRecord(provider['default-alert'])
        ? [[type, alertSchema.parse(provider['default-alert'])] as const]
        : [],
    ),
  );
}
