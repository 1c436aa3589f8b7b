import { expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { errorOfUrls, readUrls } from './read-urls';

it('each line is a monitor, named by its target, with https:// where it has no scheme', () => {
  const monitors = readUrls('\n shop.example.com \nhttp://10.0.0.1:8080/health?key=secret\n');
  expect(monitors.map((monitor) => parseInput(createMonitorSchema, monitor))).toMatchObject([
    { type: 'http', name: 'shop.example.com', url: 'https://shop.example.com' },
    { type: 'http', name: '10.0.0.1:8080/health', url: 'http://10.0.0.1:8080/health?key=secret' },
  ]);
});

it('an error names its line', () => {
  const details = [{ path: 'monitors.1.url', code: 'invalid', message: 'must be an http or https URL' }];
  const error = errorOfUrls(new DomainError('VALIDATION_ERROR', 'monitors.1: …', details));
  expect(error.details).toMatchObject([{ path: 'urls', message: 'Line 2: must be an http or https URL.' }]);
  const full = new DomainError('PLAN_LIMIT_EXCEEDED', 'The free plan allows 50 monitors.');
  expect(errorOfUrls(full)).toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED', message: full.message });
});
