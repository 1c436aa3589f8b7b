import { describe, expect, it } from 'vitest';
import { changedInput } from '@/components/monitors/form/monitor-input';
import { fieldErrors, formatFieldError, freshState } from '@/components/ui/forms/form-state';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { DomainError } from '@/lib/core/errors';
import { keepHidden } from '@/lib/domain/monitors/keep-hidden';
import { HIDDEN } from '@/lib/schemas/hidden';
import { createMonitorSchema, type Monitor } from '@/lib/schemas/monitor';
import { FORM_FIELDS } from '@/lib/schemas/monitor/fields';
import { parseInput } from '@/lib/schemas/validation';
import {
  copyValues,
  monitorValues,
  newMonitorValues,
  readMonitorForm as readMonitorInput,
} from './form-values';
import { refusedMonitor } from './refused-monitor';

const SHOP = { name: 'Shop', url: 'https://example.test/' };

const read = (changes: Record<string, string> = {}) =>
  parseInput(createMonitorSchema, readMonitorInput({ ...newMonitorValues({}), ...SHOP, ...changes }));

function refusalOf(run: () => unknown): DomainError {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('it was not refused');
}

/** The errors of what was refused, by field; none if it was not. */
function attemptRead(run: () => unknown): Record<string, string> {
  try {
    run();
    return {};
  } catch (error) {
    if (error instanceof DomainError) return fieldErrors(error);
    throw error;
  }
}

/** A stored monitor; only its settings matter here. */
function monitorOf(fields: object): Monitor {
  const read = { id: 'mon_1', status: 'pending', lastCheckedAt: null, lastResponseTime: null };
  const more = { consecutiveFailures: 0, uptimePercentage: 100, maintenance: false };
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  return {
    ...parseInput(createMonitorSchema, { ...SHOP, ...fields }),
    ...read,
    ...more,
    ...times,
  } as Monitor;
}

describe('the form of a new monitor', () => {
  it('opens with the defaults of the API, and suggests to confirm outages', () => {
    expect(read()).toEqual({ ...parseInput(createMonitorSchema, SHOP), confirmInterval: 10 });
    expect(read({ confirmInterval: '' }).confirmInterval).toBeNull();
  });

  it('omits http-only fields for a tcp monitor', () => {
    const typed = { ...newMonitorValues({}), type: 'tcp', url: 'db.test:5432', keyword: 'left over' };
    const input = readMonitorInput(typed);
    expect(input).not.toHaveProperty('keyword');
    expect(input).not.toHaveProperty('method');
  });

  it('reads headers line by line', () => {
    const headers = 'Accept: text/plain\r\n\r\nX-Time: 10:30\n';
    expect(read({ headers }).headers).toEqual({ Accept: 'text/plain', 'X-Time': '10:30' });
  });

  it.each(['no colon', ': no name', 'a b: space in the name', 'X: 1\nX: 2'])(
    'rejects the headers %j',
    (headers) => {
      expect(() => read({ headers })).toThrow('headers');
    },
  );

  it('keeps the line breaks of a body', () => {
    expect(read({ method: 'POST', body: '{\r\n}' }).body).toBe('{\n}');
  });

  it('leaves invalid numbers to the schema, which names the field', () => {
    expect(() => read({ timeout: 'soon' })).toThrow('timeout');
    expect(() => read({ timeout: '' })).toThrow('timeout');
  });

  it('leaves out fields it did not have, such as one added after the form was opened', () => {
    const { maxRedirects: _, ...typed } = newMonitorValues({});
    expect(readMonitorInput({ ...typed, ...SHOP })).not.toHaveProperty('maxRedirects');
    expect(() => read({ maxRedirects: '' })).toThrow('maxRedirects');
    expect(read({ maxRedirects: '0' }).maxRedirects).toBe(0);
  });

  it.each([
    ['example.com', 'https://example.com'],
    ['localhost:3000', 'https://localhost:3000'],
    [' example.com:8443/path ', 'https://example.com:8443/path'],
    ['http://example.com', 'http://example.com'],
  ])('adds https:// to a URL without a scheme: %s', (url, completed) => {
    expect(read({ url }).url).toBe(completed);
  });

  it('keeps the target of other types as it is', () => {
    expect(read({ type: 'tcp', url: 'localhost:3000' }).url).toBe('localhost:3000');
    expect(read({ type: 'ping', url: 'example.com' }).url).toBe('example.com');
  });

  describe('that a job calls', () => {
    const readJob = (plan: Record<string, string>) => read({ type: 'heartbeat', ...plan });

    it('has a period with a unit, or a schedule in a time zone', () => {
      expect(readJob({ period: '90,minutes', schedule: '' })).toMatchObject({ period: 5400, schedule: null });
      const schedule = { cron: '0 3,15 * * *', timeZone: 'Europe/Berlin' };
      expect(readJob({ period: '', schedule: '0 3,15 * * *,Europe/Berlin' })).toMatchObject({
        period: null,
        schedule,
      });
    });

    it.each([
      [{ period: ',minutes' }, 'Period', 'period', 'Period needs a number.'],
      [{ period: '10,seconds' }, 'Period', 'period', 'Period must be at least 1 minute (60 seconds).'],
      [{ period: '400,days' }, 'Period', 'period', 'Period must be at most 366 days.'],
      [{ schedule: ',UTC' }, 'Cron expression', 'schedule', 'Enter a cron expression.'],
      [
        { schedule: '30 3,UTC' },
        'Cron expression',
        'schedule',
        'Cron expression must have five fields: minute, hour, day of month, month, day of week.',
      ],
    ])('is refused in plain words: %j', (plan, label, name, sentence) => {
      const error = refusalOf(() => readJob(plan));
      expect(formatFieldError(label, fieldErrors(error)[name] ?? '')).toBe(sentence);
    });
  });

  it('reads an unchecked box as false', () => {
    expect(read({ followRedirects: '', enabled: '' })).toMatchObject({
      followRedirects: false,
      enabled: false,
    });
  });

  it.each([
    [{ url: 'example.com' }, 'example.com'],
    [{ url: 'example.com', recordType: 'MX' }, 'dns:example.com?type=MX'],
    [{ url: 'example.com', resolver: '9.9.9.9' }, 'dns://9.9.9.9/example.com?type=A'],
    [
      { url: 'example.com', resolver: '[::1]:5353', recordType: 'TXT' },
      'dns://[::1]:5353/example.com?type=TXT',
    ],
    [{ url: 'dns:example.com?type=NS', recordType: 'A' }, 'dns:example.com?type=NS'],
  ])('combines host, record, and resolver %j into the target %s', (typed, url) => {
    expect(read({ type: 'dns', ...typed }).url).toBe(url);
  });
});

describe('the form of an existing monitor', () => {
  const KINDS = [
    { headers: { Authorization: 'Bearer abc', Accept: '*/*' }, method: 'POST', body: '{\n}', keyword: 'ok' },
    { tags: ['a', 'b'], ref: 'r1', regions: ['us-east', 'eu-west'], tlsExpiryDays: 14, enabled: false },
    { type: 'tcp', url: 'db.test:5432', interval: 300, alertThreshold: 5, recoveryThreshold: 2 },
    { type: 'dns', url: 'dns://[::1]:5353/example.com?type=TXT' },
    { type: 'dns', url: 'dns://9.9.9.9/example.com?type=CAA' },
    {
      followRedirects: false,
      maxRedirects: 0,
      tlsVerify: false,
      degradedThreshold: 900,
      tags: ['with, comma'],
    },
  ];

  it.each(KINDS)('changes nothing if submitted unchanged: %j', (fields) => {
    const opened = readMonitorInput(monitorValues(monitorOf(fields)));
    expect(changedInput(opened, opened)).toEqual({});
  });

  it.each(KINDS.slice(0, 5))('reads back the monitor it shows: %j', (fields) => {
    const monitor = monitorOf(fields);
    const input = readMonitorInput(monitorValues(monitor));
    const kept = keepHidden({ headers: input.headers ?? {} }, monitor, monitor);
    expect(monitor).toMatchObject({ ...input, ...kept });
  });

  it('hides header values, keeps those left hidden, and accepts new ones', () => {
    const monitor = monitorOf({ headers: { Authorization: 'Bearer abc', 'X-Old': '1' } });
    const values = monitorValues(monitor);
    expect(JSON.stringify(values)).not.toContain('abc');
    const typed = { ...values, headers: `Authorization: ${HIDDEN}\nX-New: 2` };
    const changes = changedInput(readMonitorInput(values), readMonitorInput(typed));
    expect(changes).toEqual({ headers: { Authorization: HIDDEN, 'X-New': '2' } });
    expect(keepHidden(changes, monitor, monitor)).toEqual({
      headers: { Authorization: 'Bearer abc', 'X-New': '2' },
    });
  });

  it('is copied under another name and without the reference, which is unique', () => {
    const values = copyValues(monitorOf({ name: 'x'.repeat(100), ref: 'r1', interval: 300 }));
    expect(values).toMatchObject({ ref: '', interval: '300' });
    expect(parseInput(createMonitorSchema, readMonitorInput(values)).name).toMatch(/^x{93} \(copy\)$/);
  });
});

describe('a rejected form', () => {
  it.each(MONITOR_TYPES)('of type %s has sentences without names of fields and words of JSON', (type) => {
    // Editors write what no one types.
    const fields = FORM_FIELDS.filter(
      ({ control }) => control !== 'assertions' && control !== 'authentication',
    );
    const sentences = fields.flatMap(({ name, label }) =>
      ['', 'ü ü', '-1', '99999999', 'a,a', 'a: b\na: c', '0 0 30 2 *,UTC'].flatMap((text) => {
        const typed = { ...newMonitorValues({}), ...SHOP, type, [name]: text };
        const parsed = attemptRead(() => parseInput(createMonitorSchema, readMonitorInput(typed)));
        return Object.entries(parsed).map(([field, error]) => [field, formatFieldError(label, error)]);
      }),
    );
    expect(sentences).not.toEqual([]);
    for (const [field, sentence = ''] of sentences) {
      expect(sentence, field).toMatch(/^[A-Z][^\n]*\.$/);
      expect(sentence, field).not.toMatch(/\b(null|array|object|string|boolean|type)\b(?!=)|[a-z][A-Z]/);
    }
  });

  const errorFields = (typed: Record<string, string>) => {
    const details = [{ path: 'url', code: 'invalid', message: 'must be a host name' }];
    const error = new DomainError('VALIDATION_ERROR', 'The request is not valid: url.', details);
    return Object.keys(refusedMonitor(freshState(), error, typed).errors);
  };

  it('shows the error at the resolver if the host is valid, otherwise at the host', () => {
    expect(errorFields({ type: 'dns', url: 'example.com', resolver: 'no resolver' })).toEqual(['resolver']);
    expect(errorFields({ type: 'dns', url: 'no host', resolver: '9.9.9.9' })).toEqual(['url']);
    expect(errorFields({ type: 'dns', url: 'no host', resolver: '' })).toEqual(['url']);
    expect(errorFields({ type: 'tcp', url: 'example.com', resolver: 'left over' })).toEqual(['url']);
  });
});
