import { expect, it, vi } from 'vitest';
import type { Engine } from '@/lib/engine/create-engine';
import { waitFor } from '@/lib/testing/wait-for';

import { POLL, quiet, startDriver } from '../embedded/testing/harness';
import { createVerifyDomains } from './verify-domains';

it('verifies due domains once a minute', async () => {
  const verifyDomains = vi.fn<Engine['verifyDomains']>(async () => 0);
  const { driver, time } = startDriver((client) => createVerifyDomains(client, { verifyDomains }));
  for (const runs of [1, 2]) {
    await time.advance(60_000);
    await waitFor(() => expect(verifyDomains).toHaveBeenCalledTimes(runs), POLL);
    await quiet(driver);
  }
});
