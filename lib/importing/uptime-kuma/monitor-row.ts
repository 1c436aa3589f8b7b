import { z } from 'zod';
import {
  anything,
  isRecord,
  looseFlag,
  looseList,
  looseNumber,
  looseText,
  looseTextMap,
  looseTexts,
  looseWord,
  tryJson,
} from '../files/loose';

/** A list, stored as JSON in a database and as it is in a backup. */
const jsonTexts = anything.transform((value) =>
  looseTexts.parse(typeof value === 'string' ? tryJson(value) : value),
);

const jsonList = anything.transform((value) =>
  looseList.parse(typeof value === 'string' ? tryJson(value) : value),
);

/** A monitor of Uptime Kuma, with the names of its database columns. Versions differ in which of them exist. */
const kumaMonitorSchema = z.object({
  id: looseWord,
  name: looseText.transform((name) => name ?? ''),
  description: looseText,
  type: looseText.transform((type) => type ?? ''),
  active: looseFlag,
  force_inactive: looseFlag,
  parent: looseWord,
  interval: looseNumber,
  retry_interval: looseNumber,
  resend_interval: looseNumber,
  maxretries: looseNumber,
  timeout: looseNumber,
  upside_down: looseFlag,
  url: looseWord,
  hostname: looseWord,
  port: looseNumber,
  method: looseWord,
  headers: anything.transform((value) => {
    const parsed = typeof value === 'string' ? tryJson(value) : value;
    return {
      isValid: value === null || value === undefined || value === '' || isRecord(parsed),
      map: looseTextMap.parse(parsed),
    };
  }),
  body: looseText,
  http_body_encoding: looseWord,
  auth_method: looseWord,
  basic_auth_user: looseText,
  basic_auth_pass: looseText,
  bearer_token: looseText,
  keyword: looseText,
  invert_keyword: looseFlag,
  json_path: looseText,
  json_path_operator: looseWord,
  expected_value: looseText,
  ignore_tls: looseFlag,
  expiry_notification: looseFlag,
  maxredirects: looseNumber,
  accepted_statuscodes_json: jsonTexts,
  accepted_statuscodes: jsonTexts,
  dns_resolve_type: looseWord,
  dns_resolve_server: looseWord,
  conditions: jsonList,
  proxy_id: looseWord,
  cache_bust: looseFlag,
  ip_family: looseWord,
  expected_tls_alert: looseWord,
  subtype: looseWord,
  smtp_security: looseWord,
  database_connection_string: looseWord,
  grpc_url: looseWord,
  kafka_producer_brokers: jsonTexts,
  rabbitmq_nodes: jsonTexts,
  tags: anything.transform((value) =>
    looseList
      .parse(value)
      .filter(isRecord)
      .map(({ name, value: detail }) => [looseWord.parse(name), looseWord.parse(detail)])
      .flatMap(([name, detail]) => (name ? [detail ? `${name}: ${detail}` : name] : [])),
  ),
});

export type KumaMonitor = z.output<typeof kumaMonitorSchema>;

/** Before there was a choice of methods, a user name meant basic authentication, as in Uptime Kuma's own migration. */
export function parseMonitor(row: Record<string, unknown>): KumaMonitor {
  const monitor = kumaMonitorSchema.parse(row);
  const isOlder = !('auth_method' in row) && (monitor.basic_auth_user ?? '') !== '';
  return isOlder ? { ...monitor, auth_method: 'basic' } : monitor;
}

/** The columns to read from a database. */
export const MONITOR_COLUMNS = Object.keys(kumaMonitorSchema.shape).filter((name) => name !== 'tags');

/** A monitor of a backup, whose names are partly in camel case, with the names of the columns. */
export function withColumnNames(monitor: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(monitor).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
