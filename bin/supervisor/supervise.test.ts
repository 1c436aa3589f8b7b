import { it } from 'vitest';
import { expectToRestart, IDLE } from './testing/supervised-program';

it('a process that is stopped (SIGSTOP) is killed and restarted, and the log shows why', () =>
  expectToRestart('stopped', IDLE, (pid) => process.kill(pid, 'SIGSTOP')));
