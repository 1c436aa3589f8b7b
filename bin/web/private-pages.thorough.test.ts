import { afterAll, beforeAll } from 'vitest';
import {
  describeVisits,
  PRIVATE_PAGE_SETTINGS,
  type PrivateSetting,
  signInBoth,
} from './testing/private-page-visits';
import { startTwoProcesses, type TwoProcesses } from './testing/two-processes';

const setting = {} as PrivateSetting;
let story: TwoProcesses;

beforeAll(async () => {
  story = await startTwoProcesses(PRIVATE_PAGE_SETTINGS);
  Object.assign(setting, await signInBoth(story));
});
afterAll(() => story?.stop());

for (const visibility of ['password', 'ip', 'members'] as const)
  describeVisits(setting, visibility, 'everything');
