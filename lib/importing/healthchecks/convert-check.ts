import { sha1 } from '@noble/hashes/legacy';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { z } from 'zod';
import { looseFlag, looseNumber, looseText, looseWord } from '../files/loose';
import { Draft } from '../plan/draft';
import { setHeartbeat, setSchedule } from '../plan/heartbeat';
import type { ImportedMonitor } from '../plan/plan';
import { refOf } from '../plan/ref';
import { FIELDS } from './fields';

const text = looseText.transform((value) => value ?? '');

/** A check in a response of the API, v1 to v3: https://healthchecks.io/docs/api/. */
export const checkSchema = z.object({
  uuid: looseWord,
  /** Instead of the UUID for a read-only key. */
  unique_key: looseWord,
  name: text,
  slug: text,
  tags: text,
  desc: looseText,
  status: looseWord,
  manual_resume: looseFlag,
  /** Seconds; absent if there is a schedule. */
  timeout: looseNumber,
  schedule: looseWord,
  tz: looseWord,
  grace: looseNumber,
  methods: text,
  /** Of v1 and v2. */
  subject: looseWord,
  subject_fail: looseWord,
  filter_subject: looseFlag,
  filter_body: looseFlag,
  filter_http_body: looseFlag,
});
type Check = z.output<typeof checkSchema>;

const NO_TIMES = 'The file does not say when the job calls.';
const SYSTEMD =
  'Schedules in the syntax of systemd (OnCalendar) are not supported. Create a heartbeat with a cron expression or a period, and let the job call it.';

/** One check of Healthchecks as a heartbeat, or why it cannot be imported. */
export function convertCheck(check: Check): ImportedMonitor {
  const { schedule, timeout } = check;
  const name = check.name.trim() || check.slug;
  const kind = schedule === null ? 'simple' : isCron(schedule) ? 'cron' : 'oncalendar';
  const draft = new Draft(FIELDS, { name, kind, ref: refOfCheck(check, name) });
  if (schedule === null && timeout === null) return draft.reject(NO_TIMES);
  if (kind === 'oncalendar') return draft.reject(SYSTEMD);
  setHeartbeat(draft, { period: schedule === null ? timeout : null, grace: check.grace });
  if (schedule !== null) {
    const reason = setSchedule(draft, { cron: schedule.trim(), timeZone: check.tz ?? 'UTC' });
    if (reason !== null) return draft.reject(reason);
  }
  draft.setDescription(check.desc);
  draft.setTags(check.tags.split(/\s+/));
  draft.setEnabled(check.status !== 'paused');
  noteCalls(draft, check);
  return draft.finish();
}

/** How Healthchecks tells its two kinds of schedules apart: https://github.com/healthchecks/healthchecks/blob/HEAD/hc/api/views.py. */
function isCron(schedule: string): boolean {
  return /^\S+([^\S\n]+\S+){4}$/.test(schedule.trim());
}

/**
 * The unique key of a read-only key, which is a hash of the UUID, so that both kinds of keys lead to the same ref:
 * https://github.com/healthchecks/healthchecks/blob/HEAD/hc/api/models.py. The UUID itself is the secret of the URL.
 */
function refOfCheck({ uuid, unique_key: key }: Check, name: string): string {
  const code = uuid?.replaceAll('-', '').toLowerCase();
  const hash = code === undefined ? key : bytesToHex(sha1(utf8ToBytes(code.slice(0, 16))));
  return hash === null ? refOf('healthchecks', name) : `healthchecks-${hash}`;
}

/** What calls mean there and do not in Pharos. */
function noteCalls(draft: Draft, check: Check): void {
  const {
    subject,
    subject_fail: failed,
    filter_subject: title,
    filter_body: email,
    filter_http_body: http,
  } = check;
  if (check.status === 'paused' && check.manual_resume !== true)
    draft.change('A call does not resume it: resume it in Pharos.');
  if (check.methods !== '') draft.change('Calls with any method count, not only POST.');
  if (subject !== null || failed !== null || title === true || email === true || http === true)
    draft.change('The filters are not imported: the URL that a call uses says whether the job succeeded.');
}
