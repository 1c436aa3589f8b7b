import { expect, it, vi } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createRegistrar } from './serve-apps';

function begin(serveOrigin?: string) {
  let now = 0;
  const register = vi.fn(async (_origin: string) => {});
  const likelyOrigin = 'http://localhost:3000';
  const log = createLogger('silent', 'test');
  const registrar = createRegistrar({ serveOrigin, likelyOrigin, log }, () => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { registrar, register, pass };
}

it('waits to be synced, then registers its likely address, and again every 30 seconds', async () => {
  const { registrar, register, pass } = begin();
  expect(registrar.isDue('pharos', 9_000)).toBe(false);
  expect(registrar.isDue('pharos', 11_000)).toBe(true);
  expect(await registrar.register('pharos', { register })).toBe(true);
  expect(register).toHaveBeenCalledWith('http://localhost:3000');
  expect(registrar.isDue('pharos', 13_000)).toBe(false);
  pass(31_000);
  expect(registrar.isDue('pharos', 44_000)).toBe(true);
});

it('registers the other apps once, where Inngest has synced one', async () => {
  const { registrar, register } = begin();
  expect(registrar.learn('http://10.0.0.7:3000')).toBe(true);
  expect(registrar.learn('http://10.0.0.7:3000')).toBe(false);
  await registrar.register('probe-eu-west', { register });
  expect(register).toHaveBeenCalledWith('http://10.0.0.7:3000');
});

it('only registers the configured address', async () => {
  const { registrar, register } = begin('https://probe.example.com');
  expect(registrar.learn('http://10.0.0.7:3000')).toBe(false);
  await registrar.register('pharos', { register });
  expect(register).toHaveBeenCalledWith('https://probe.example.com');
});

it('survives an unavailable server', async () => {
  const { registrar } = begin();
  const register = () => Promise.reject(new Error('ECONNREFUSED'));
  expect(await registrar.register('pharos', { register })).toBe(false);
});
