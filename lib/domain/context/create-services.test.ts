import { afterEach, expect, it } from 'vitest';
import { parseEnvironment } from '@/lib/env';
import { createServices, type ProcessServices } from './services';

const required = { DATABASE_URL: 'postgresql://127.0.0.1:9/none', SECRET_KEY: 'x'.repeat(32) };
let services: ProcessServices | undefined;

afterEach(() => services?.db.$disconnect());

it.each([
  [{ APP_URL: 'https://pharos.example.com/' }, 'https://pharos.example.com'],
  [{}, null],
])('services with %j have the URL of the dashboard', (settings, appUrl) => {
  services = createServices(parseEnvironment({ ...required, ...settings }), 'test');
  expect(services.appUrl).toBe(appUrl);
});
