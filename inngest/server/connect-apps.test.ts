import { expect, it } from 'vitest';
import { StartupError } from '@/lib/core/errors';
import { requireConnectSupport } from '../wake-worker';

it.each(['22.4.0', '22.18.1', '24.0.0'])('Node.js %s can connect', (version) => {
  expect(() => requireConnectSupport(version)).not.toThrow();
});

it.each(['20.19.0', '22.3.9', '18.0.0'])('Node.js %s cannot, and names the required version', (version) => {
  const connect = () => requireConnectSupport(version);
  expect(connect).toThrow(StartupError);
  expect(connect).toThrow(`needs Node.js 22.4 or later (for WebSocket), but this is ${version}`);
});
