import { findCronProblem, nextRun } from '@/lib/checks/heartbeat/cron';
import { invalidState } from '@/lib/core/errors';
import { decodeText, requireItems } from '../files/decode';
import { isRecord, looseList, looseWord } from '../files/loose';
import { decodeYaml } from '../files/yaml';
import { convertEntries } from '../plan/entries';
import type { ReadFile } from '../plan/plan';
import { leftBehind } from '../plan/sentences';
import { convertSite } from './convert-site';
import { siteSchema } from './site';

const HINT = 'Choose .upptimerc.yml.';
/** Of the workflow that checks: https://github.com/upptime/uptime-monitor/blob/HEAD/src/helpers/constants.ts. */
const SCHEDULE = '*/5 * * * *';
const INTERVAL = 300;

/** Reads the configuration of Upptime. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export function readUpptime(file: Uint8Array): ReadFile {
  const config = decodeYaml(decodeText(file, HINT), HINT);
  if (!isRecord(config) || !Array.isArray(config.sites))
    throw invalidState(`The YAML has no sites of Upptime. ${HINT}`);
  const records = config.sites.filter(isRecord);
  requireItems(config.sites.length);
  const sites = records.map((record) => siteSchema.parse(record));
  const interval = intervalOf(config.workflowSchedule);
  const assignees = [config, ...records].flatMap((each) => looseList.parse(each.assignees));
  return {
    items: convertEntries(config.sites, (record) => convertSite(siteSchema.parse(record), interval)),
    notes: [
      ...leftBehind(looseList.parse(config.notifications).length, 'notification'),
      ...leftBehind(new Set(assignees).size, 'assignee'),
      ...leftBehind(sites.filter(({ icon }) => icon !== null).length, 'icon'),
      ...leftBehind(isRecord(config['status-website']) ? 1 : 0, 'status website'),
    ],
  };
}

/** Seconds between two runs of the workflow. */
function intervalOf(schedule: unknown): number {
  const cron = (isRecord(schedule) ? looseWord.parse(schedule.uptime) : null) ?? SCHEDULE;
  if (findCronProblem(cron) !== null) return INTERVAL;
  const first = nextRun({ cron, timeZone: 'UTC' }, 0) ?? 0;
  const second = nextRun({ cron, timeZone: 'UTC' }, first);
  return second === null ? INTERVAL : (second - first) / 1000;
}
