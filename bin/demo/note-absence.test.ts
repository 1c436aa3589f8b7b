import { expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '@/lib/testing/receiver';
import { noteAbsence } from './note-absence';

it('notes where a service is expected that does not respond, or is another', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const service = new URL(receiver.url);
  expect(await noteAbsence(service)).toBeNull();
  receiver.respondWith(404);
  expect(await noteAbsence(service)).toContain(service.origin);
  await receiver.close();
  expect(await noteAbsence(service)).toContain('set PORT or APP_URL');
});
