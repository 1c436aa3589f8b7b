import { z } from 'zod';
import {
  anything,
  isRecord,
  looseNumber,
  looseText,
  looseTextMap,
  looseTexts,
  looseWord,
} from '../files/loose';

/** `404:0_200:1` in requests of the API: codes that count as down (0) and up (1). */
const customStatuses = anything.transform((value): { up: string[]; down: string[] } => {
  if (isRecord(value)) return { up: looseTexts.parse(value.up), down: looseTexts.parse(value.down) };
  const pairs = typeof value === 'string' ? value.split('_').map((pair) => pair.split(':')) : [];
  const codesThat = (flag: string) => pairs.flatMap(([code = '', isUp]) => (isUp === flag ? [code] : []));
  return { up: codesThat('1'), down: codesThat('0') };
});

/** A monitor of UptimeRobot, from its API v2 or a row of its CSV export, with the names of the API. */
export const robotMonitorSchema = z.object({
  id: looseWord,
  friendly_name: looseText.transform((name) => name ?? ''),
  url: looseWord,
  type: looseText.transform((type) => typeNamed(type ?? '')),
  sub_type: looseNumber,
  port: looseNumber,
  status: looseText.transform((status) => status ?? ''),
  interval: looseNumber,
  timeout: looseNumber,
  /** Of heartbeats, in newer versions. */
  grace_period: looseNumber,
  keyword_type: looseText.transform((type) => type ?? ''),
  keyword_case_type: looseText.transform((type) => type ?? ''),
  keyword_value: looseText,
  http_method: looseText.transform((method) => methodNamed(method ?? '')),
  http_username: looseWord,
  http_password: looseText,
  /** The name in requests of the API, and the one in responses. */
  http_auth_type: looseText.transform((type) => type ?? ''),
  auth_type: looseText.transform((type) => type ?? ''),
  custom_http_headers: looseTextMap,
  custom_http_statuses: customStatuses,
  post_value: anything.transform((value) =>
    isRecord(value) ? JSON.stringify(value) : looseText.parse(value),
  ),
  post_content_type: looseText.transform((type) => type ?? ''),
});

export type RobotMonitor = z.output<typeof robotMonitorSchema>;

const TYPES: Partial<Record<string, string>> = {
  1: 'http',
  2: 'keyword',
  3: 'ping',
  4: 'port',
  5: 'heartbeat',
  https: 'http',
  http_s: 'http',
  'http(s)': 'http',
  website: 'http',
  'cron job': 'heartbeat',
};

/** The API has numbers, the CSV export numbers or names. */
function typeNamed(text: string): string {
  const name = text.trim().toLowerCase();
  return (Object.hasOwn(TYPES, name) ? TYPES[name] : undefined) ?? name;
}

const METHODS: Partial<Record<string, string>> = {
  1: 'HEAD',
  2: 'GET',
  3: 'POST',
  4: 'PUT',
  5: 'PATCH',
  6: 'DELETE',
  7: 'OPTIONS',
};

function methodNamed(text: string): string {
  return (Object.hasOwn(METHODS, text) ? METHODS[text] : undefined) ?? text;
}

/** Whether a keyword monitor of this type alerts if the text is present: `1` in the API. */
export function alertsIfPresent(keywordType: string): boolean {
  const name = keywordType.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return ['1', 'exists', 'alertexists'].includes(name);
}
