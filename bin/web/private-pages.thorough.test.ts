import { afterAll, beforeAll } from 'vitest';
import { signIn } from './testing/private-page-story';
import { describeVisits, type PrivateSetting } from './testing/private-page-visits';
import { startTwoProcesses, type TwoProcesses } from './testing/two-processes';

const setting = {} as PrivateSetting;
let story: TwoProcesses;

beforeAll(async () => {
  story = await startTwoProcesses({
    TRUSTED_PROXIES: '127.0.0.1',
    CUSTOM_DOMAIN_VERIFY: 'off',
    // Emails are queued, and no worker sends them.
    SMTP_URL: 'smtp://127.0.0.1:9',
  });
  const sessions = { member: await signIn(story, 'member'), stranger: await signIn(story, 'stranger') };
  Object.assign(setting, { story, sessions });
});
afterAll(() => story?.stop());

for (const visibility of ['password', 'ip', 'members'] as const)
  describeVisits(setting, visibility, 'everything');
