import { describe, expect, it } from 'vitest';
import { MonitorType } from '@/lib/platform/db/generated/enums';
import { probe } from './probe';
import { PHASES } from './result';
import { createTarget, openEnvironment } from './testing/target';
import { CHECK_TYPES, findCheckType, MONITOR_TYPES, readTarget } from './types';

it('the check types match those of the database', () => {
  expect(MONITOR_TYPES).toEqual(Object.keys(MonitorType));
});

it('an unknown name has no type, not even a name that every object has', () => {
  for (const name of ['', 'HTTP', 'constructor', undefined]) expect(findCheckType(name)).toBeUndefined();
});

describe.each(MONITOR_TYPES)('the check type %s', (type) => {
  const { target, form, texts, phases, assertions } = CHECK_TYPES[type];

  it('accepts the target that its form suggests, and no other text', () => {
    expect(readTarget({ type, url: form.placeholder })).not.toBeNull();
    const others = ['', 'not a target', '://', 'a\n.test'].filter((url) => url !== form.placeholder);
    for (const url of others) expect(readTarget({ type, url })).toBeNull();
  });

  it('describes its target and the request of a check', () => {
    const request = texts.request({ method: 'GET', expectedStatusCode: 200, keyword: null });
    for (const text of [target.shape, form.label, texts.label, request]) expect(text).toMatch(/\S/);
  });

  it('splits a target into inputs that join to the same target, without ambiguity', () => {
    const inputs = form.parts?.inputs.map(({ name }) => name) ?? [];
    const shown = form.parts?.split(form.placeholder) ?? { url: form.placeholder };
    expect(Object.keys(shown).sort()).toEqual([...inputs, 'url'].sort());
    expect(form.parts?.join(shown) ?? shown.url).toBe(form.placeholder);
    const others = MONITOR_TYPES.filter((other) => other !== type).flatMap(
      (other) => CHECK_TYPES[other].form.parts?.inputs.map(({ name }) => name) ?? [],
    );
    for (const name of inputs) expect(others).not.toContain(name);
  });

  it('has assertions in its form if they can be about something', () => {
    expect(form.groups.includes('assertions')).toBe(assertions.length > 0);
    expect(form.groups.includes('banner')).toBe(assertions.includes('banner'));
  });

  it('has phases in order, and a probe that reports no others', async () => {
    const known = PHASES.map(({ key }) => key);
    expect(phases).toEqual(known.filter((key) => phases.includes(key)));
    const stop = AbortSignal.timeout(200);
    const found = await probe(createTarget(type, form.placeholder), {
      ...openEnvironment,
      resolver: async () => [{ address: '127.0.0.1', family: 4 }],
      dnsServers: ['127.0.0.1:9'],
      signal: stop,
    });
    const reported = known.filter((key) => found.phases[key] !== null);
    expect(phases).toEqual(expect.arrayContaining(reported));
  });
});
