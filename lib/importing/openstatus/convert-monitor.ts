import { monitorDefaults } from '@/lib/schemas/monitor/fields';
import type { RegionId } from '@/lib/schemas/regions';
import { goSeconds } from '../files/durations';
import { Draft } from '../plan/draft';
import { addHeaders, setHttpUrl, setMethod, setRequestBody } from '../plan/http-request';
import { readSetting } from '../plan/misread';
import type { ImportedMonitor } from '../plan/plan';
import { NO_TARGET, UNKNOWN_KIND } from '../plan/reasons';
import { refOf } from '../plan/ref';
import { countOf, spanOf } from '../plan/sentences';
import { connectionTarget, dnsTarget } from '../plan/targets';
import { setAssertions, setRecordAssertions } from './assertions';
import { FIELDS } from './fields';
import type { OpenstatusMonitor } from './openstatus-monitor';

/** What openstatus uses if a monitor does not set them. */
const ATTEMPTS = 3;
const TIMEOUT = 45_000;

/** The regions in the same city as one of Pharos: Virginia, Frankfurt and Singapore. */
const REGIONS = new Map<string, RegionId>([
  ['iad', 'us-east'],
  ['koyeb_was', 'us-east'],
  ['railway_us-east4-eqdc4a', 'us-east'],
  ['railway_us_east4', 'us-east'],
  ['fra', 'eu-west'],
  ['koyeb_fra', 'eu-west'],
  ['sin', 'ap-southeast'],
  ['koyeb_sin', 'ap-southeast'],
  ['railway_asia-southeast1-eqsg3a', 'ap-southeast'],
  ['railway_asia_southeast1', 'ap-southeast'],
]);

/** One monitor of openstatus as a monitor of Pharos, or why it cannot be imported. */
export function convertMonitor(monitor: OpenstatusMonitor): ImportedMonitor {
  const draft = new Draft(FIELDS, {
    name: monitor.name,
    kind: monitor.kind,
    ref: refOf('openstatus', monitor.id),
  });
  const reason = monitor.url === null ? NO_TARGET : setTarget(draft, monitor, monitor.url.trim());
  if (reason !== null) return draft.reject(reason);
  const instead = spanOf(monitorDefaults.interval);
  const frequency = { label: 'Frequency', text: monitor.frequency, read: goSeconds, instead };
  draft.setInterval(readSetting(draft, frequency));
  draft.setTimeout((monitor.timeout ?? TIMEOUT) / 1000);
  draft.setDegradedThreshold(monitor.degradedAfter);
  draft.setRegions(monitor.regions, REGIONS);
  const attempts = Math.max(1, monitor.retry ?? ATTEMPTS);
  draft.setAlertThreshold(attempts);
  if (attempts > 1)
    draft.change(`${countOf(attempts, 'attempt')} within a check become failed checks in a row.`);
  draft.setEnabled(monitor.isActive);
  return draft.finish();
}

/** Returns why there is no target. */
function setTarget(draft: Draft, monitor: OpenstatusMonitor, url: string): string | null {
  switch (monitor.kind) {
    case 'http':
      setMethod(draft, monitor.method);
      addHeaders(draft, monitor.headers);
      setHttpUrl(draft, url);
      setRequestBody(draft, monitor.body, null);
      if (monitor.followRedirects !== null) draft.body.followRedirects = monitor.followRedirects;
      return setAssertions(draft, monitor.assertions);
    case 'tcp': {
      const target = connectionTarget(url, null);
      if (target === null) return NO_TARGET;
      draft.setTarget('tcp', target);
      return null;
    }
    case 'dns':
      setDns(draft, monitor, url.replace(/^[a-z]+:\/\//, '').replace(/\.?\/?$/, ''));
      return null;
    default:
      return UNKNOWN_KIND;
  }
}

/** openstatus resolves all types; a check of Pharos is about one, which is that of the first assertion. */
function setDns(draft: Draft, { assertions }: OpenstatusMonitor, host: string): void {
  const named = assertions.find(({ kind, key }) => kind === 'dnsRecord' && key !== null)?.key ?? null;
  const target = named === null ? null : dnsTarget(host, named, null, null);
  draft.setTarget('dns', target ?? host);
  setRecordAssertions(draft, assertions, target === null ? null : (named?.toUpperCase() ?? null));
}
