import { expect, it, vi } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createRegistrar } from './serve-apps';

function make(serveOrigin?: string) {
  let now = 0;
  const register = vi.fn(async (_origin: string) => {});
  const likelyOrigin = 'http://localhost:3000';
  const registrar = createRegistrar({
    serveOrigin,
    likelyOrigin,
    log: createLogger('silent', 'test'),
    now: () => now,
  });
  const pass = (ms: number) => {
    now += ms;
  };
  return { registrar, register, pass };
}

it('waits for somebody to sync it, then registers where it is probably found, and again every half minute', async () => {
  const { registrar, register, pass } = make();
  expect(registrar.isDue('pharos', 9_000)).toBe(false);
  expect(registrar.isDue('pharos', 11_000)).toBe(true);
  expect(await registrar.register('pharos', { register })).toBe(true);
  expect(register).toHaveBeenCalledWith('http://localhost:3000');
  expect(registrar.isDue('pharos', 13_000)).toBe(false);
  pass(31_000);
  expect(registrar.isDue('pharos', 44_000)).toBe(true);
});

it('registers the other apps where Inngest has synced one, once', async () => {
  const { registrar, register } = make();
  expect(registrar.learn('http://10.0.0.7:3000')).toBe(true);
  expect(registrar.learn('http://10.0.0.7:3000')).toBe(false);
  await registrar.register('probe-eu-west', { register });
  expect(register).toHaveBeenCalledWith('http://10.0.0.7:3000');
});

it('tells no other address than the one it was given', async () => {
  const { registrar, register } = make('https://probe.example.com');
  expect(registrar.learn('http://10.0.0.7:3000')).toBe(false);
  await registrar.register('pharos', { register });
  expect(register).toHaveBeenCalledWith('https://probe.example.com');
});

it('survives a server that is away', async () => {
  const { registrar } = make();
  const register = () => Promise.reject(new Error('ECONNREFUSED'));
  expect(await registrar.register('pharos', { register })).toBe(false);
});
