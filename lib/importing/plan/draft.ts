import type { Protocol } from '@/lib/checks/tcp/protocols';
import { hasFieldGroup } from '@/lib/checks/types';
import { DomainError } from '@/lib/core/errors';
import { cutText } from '@/lib/core/storable-text';
import { formatTiming } from '@/lib/core/time/duration';
import { createMonitorSchema, defaultsOfType } from '@/lib/schemas/monitor';
import {
  describeField,
  dropHidden,
  FIELD_NAMES,
  type FieldName,
  INTERVALS,
  MAX_DESCRIPTION,
  MAX_TAGS,
  type MonitorConfig,
  monitorDefaults,
  monitorFields,
} from '@/lib/schemas/monitor/fields';
import type { RegionId } from '@/lib/schemas/regions';
import { parseInput } from '@/lib/schemas/validation';
import type { ImportedMonitor, MonitorBody } from './plan';
import { countOf, shown, spanOf } from './sentences';

const MAX_NAME = 100;
const MAX_KEPT_NAME = 300;
const MAX_TAG = 50;
const MAX_REF = 200;
/** More than a monitor that people wrote can have. */
const MAX_CHANGES = 50;
const MAX_SECONDS = 60;
const MAX_THRESHOLD = 10;

/** Protocols that always change to TLS if the certificate is verified. */
const ENCRYPTED: readonly Protocol[] = ['tls', 'smtp', 'imap', 'pop3', 'ftp'];

/** Where a monitor comes from. */
export type Origin = { name: string; kind: string; ref: string };

/**
 * A monitor on its way into Pharos. Each setter takes a value as the other product has it (null if it has none), sets the
 * nearest that Pharos permits, and adds a sentence if it differs. No sentence contains a URL, header value, body or keyword.
 */
export class Draft {
  readonly changes: string[] = [];
  readonly body: Partial<MonitorConfig> = {};
  private readonly kept = new Set<FieldName>();

  /** `fields` are those that the format can express. */
  constructor(
    private readonly fields: readonly FieldName[],
    private readonly origin: Origin,
  ) {
    const name = cutText(origin.name.trim(), MAX_NAME).trim();
    if (origin.name.trim().length > MAX_NAME) this.change('The name is cut to 100 characters.');
    this.body.name = name;
    this.body.ref = cutText(origin.ref.trim(), MAX_REF).trim();
  }

  /** Whether the monitor sends a request, and expects something of the response. */
  get hasRequest(): boolean {
    return hasFieldGroup(this.body.type, 'request');
  }

  /** Whether a protocol of the monitor has a certificate. */
  get hasTls(): boolean {
    const { protocol = 'none' } = this.body;
    return ENCRYPTED.includes(protocol);
  }

  /** Adds a sentence, once. After 50, one sentence stands for the others. */
  change(sentence: string): void {
    if (this.changes.length > MAX_CHANGES || this.changes.includes(sentence)) return;
    this.changes.push(this.changes.length < MAX_CHANGES ? sentence : 'There are more changes.');
  }

  /** The monitor, or why it cannot be imported if its settings are still not valid. */
  finish(): ImportedMonitor {
    if (this.body.name === '') {
      this.body.name = cutText(this.body.ref ?? '', MAX_NAME);
      this.change('The monitor has no name and gets its reference as name.');
    }
    const body = this.complete();
    try {
      parseInput(createMonitorSchema, dropHidden(body));
    } catch (error) {
      if (error instanceof DomainError) return this.reject(reasonOf(error));
      throw error;
    }
    // Validated, so the required fields are set.
    return this.item(body as MonitorBody, null);
  }

  /** Leaves a field as it is in Pharos, because the file leaves it out: secrets, and what belongs to them. */
  keep(...fields: readonly FieldName[]): void {
    for (const field of fields) this.kept.add(field);
  }

  /** The fields of the format, and those that mean nothing for the type, with the defaults of those that were not set. */
  private complete(): Partial<MonitorConfig> {
    const { type } = this.body;
    const foreign = Object.keys(this.body).filter((name) => !this.fields.some((field) => field === name));
    if (foreign.length > 0) throw new Error(`the format does not list the fields ${foreign.join(', ')}`);
    const defaults: Partial<MonitorConfig> = { ...monitorDefaults, ...defaultsOfType(type) };
    const missing = FIELD_NAMES.filter((name) => {
      const { group } = describeField(name);
      const isUsed = group === undefined || hasFieldGroup(type, group);
      return !isUsed || (this.fields.includes(name) && !this.kept.has(name));
    });
    return { ...Object.fromEntries(missing.map((name) => [name, defaults[name]])), ...this.body };
  }

  /** The monitor as one that cannot be imported. */
  reject(reason: string): ImportedMonitor {
    this.changes.length = 0;
    return this.item(null, reason);
  }

  setTarget(type: MonitorConfig['type'], url: string): void {
    this.body.type = type;
    this.body.url = url;
  }

  setDescription(text: string | null): void {
    const written = (text ?? '').trim();
    if (written === '') return;
    this.body.description = cutText(written, MAX_DESCRIPTION).trim();
    if (written.length > MAX_DESCRIPTION)
      this.change(`The description is cut to ${MAX_DESCRIPTION} characters.`);
  }

  setInterval(seconds: number | null): void {
    if (seconds === null || seconds <= 0) return;
    const nearest = nearestInterval(seconds);
    this.body.interval = nearest;
    if (nearest !== seconds) this.change(`Interval ${spanOf(seconds)} becomes ${spanOf(nearest)}.`);
  }

  setTimeout(seconds: number | null): void {
    if (seconds === null || seconds <= 0) return;
    const allowed = Math.min(MAX_SECONDS, Math.max(1, Math.ceil(seconds)));
    this.body.timeout = allowed;
    if (allowed !== seconds) this.change(`Timeout ${spanOf(seconds)} becomes ${spanOf(allowed)}.`);
  }

  /** Consecutive failed checks before an alert. */
  setAlertThreshold(count: number | null): void {
    if (count === null) return;
    const allowed = threshold(count);
    this.body.alertThreshold = allowed;
    if (allowed !== count)
      this.change(`An alert after ${countOf(count, 'failed check')} becomes one after ${allowed}.`);
  }

  /** Consecutive successful checks before recovery. */
  setRecoveryThreshold(count: number | null): void {
    if (count === null) return;
    const allowed = threshold(count);
    this.body.recoveryThreshold = allowed;
    if (allowed !== count)
      this.change(`Recovery after ${countOf(count, 'successful check')} becomes ${allowed}.`);
  }

  /** Seconds between the checks that confirm an outage. Returns false if Pharos does not permit that many. */
  setConfirmInterval(seconds: number): boolean {
    const { success, data } = monitorFields.confirmInterval.safeParse(seconds);
    if (success) this.body.confirmInterval = data;
    return success;
  }

  setDegradedThreshold(milliseconds: number | null): void {
    if (milliseconds === null || milliseconds <= 0) return;
    const allowed = Math.min(60_000, Math.max(1, Math.round(milliseconds)));
    this.body.degradedThreshold = allowed;
    if (allowed !== milliseconds)
      this.change(`Slow above ${formatTiming(milliseconds)} becomes slow above ${formatTiming(allowed)}.`);
  }

  /** Days before the certificate expires; null and 0 mean no warning. */
  setTlsExpiryDays(days: number | null): void {
    if (days === null || days <= 0) return;
    const allowed = Math.min(365, Math.max(1, Math.ceil(days)));
    this.body.tlsExpiryDays = allowed;
    if (allowed !== days)
      this.change(`A certificate warning ${days} days before expiry becomes one ${allowed} days before.`);
  }

  setEnabled(isEnabled: boolean): void {
    this.body.enabled = isEnabled;
  }

  setTags(tags: readonly string[]): void {
    const cut = tags.map((tag) => cutText(tag.trim(), MAX_TAG).trim()).filter((tag) => tag !== '');
    const unique = [...new Set(cut)];
    if (tags.some((tag) => tag.trim().length > MAX_TAG)) this.change('Tags are cut to 50 characters.');
    if (unique.length > MAX_TAGS) {
      const more = countOf(unique.length - MAX_TAGS, 'tag');
      this.change(`Only the first ${MAX_TAGS} tags are imported; ${more} left out.`);
    }
    if (unique.length > 0) this.body.tags = unique.slice(0, MAX_TAGS);
  }

  /** The regions there, and the counterpart of each that has one. Without any counterpart the default applies. */
  setRegions(regions: readonly string[], counterparts: ReadonlyMap<string, RegionId>): void {
    if (regions.length === 0) return;
    const found = regions.flatMap((region) => counterparts.get(region) ?? []);
    const known = [...new Set(found)];
    const others = regions.length - found.length;
    if (known.length > 0) this.body.regions = known;
    const result = known.length > 0 ? known.join(', ') : 'the default region';
    if (others > 0)
      this.change(
        `The regions become ${result}; ${countOf(others, 'region')} without a counterpart ${others === 1 ? 'is' : 'are'} left out.`,
      );
  }

  private item(monitor: MonitorBody | null, reason: string | null): ImportedMonitor {
    const { name, kind } = this.origin;
    const kept = cutText(name, MAX_KEPT_NAME).trim();
    return { name: kept || this.origin.ref, kind: shown(kind), monitor, changes: this.changes, reason };
  }
}

function nearestInterval(seconds: number): MonitorConfig['interval'] {
  const [first, ...others] = INTERVALS;
  return others.reduce<MonitorConfig['interval']>(
    (best, each) => (Math.abs(each - seconds) < Math.abs(best - seconds) ? each : best),
    first,
  );
}

function threshold(count: number): number {
  return Math.min(MAX_THRESHOLD, Math.max(1, Math.round(count)));
}

const FIELD_LABELS: Partial<Record<string, string>> = {
  url: 'target',
  expectedStatusCode: 'expected status code',
  ref: 'reference',
  tlsExpiryDays: 'certificate warning',
};

/** The first problem as a sentence. The messages of the schema do not contain the value. */
function reasonOf(error: DomainError): string {
  const [first] = error.details ?? [];
  if (first === undefined) return 'Its settings are not valid in Pharos.';
  const [field = '', ...rest] = first.path.split('.');
  const label = rest.length > 0 && field === 'headers' ? `header ${shown(rest.join('.'))}` : field;
  return `The ${FIELD_LABELS[label] ?? label} ${first.message}.`;
}
