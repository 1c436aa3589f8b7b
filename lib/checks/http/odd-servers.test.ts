import { beforeAll, describe, expect, it } from 'vitest';
import { type Judged, judgeByProbe, judgeOddServers } from '../testing/judge-odd-servers';
import { ODD_SERVERS } from '../testing/odd-servers';

let verdicts: Map<string, Judged>;
beforeAll(async () => {
  verdicts = await judgeOddServers(judgeByProbe);
});

describe('a check of a server that sends', () => {
  it.each(ODD_SERVERS)('$name', ({ name, error }) => {
    expect(verdicts.get(name)?.probe).toBe(error);
  });
});

describe('the end of a certificate is that of the first in its chain:', () => {
  it.each(ODD_SERVERS.filter(({ ends }) => ends !== undefined))('$name', ({ name, ends }) =>
    expect(verdicts.get(name)?.ends).toBe(ends),
  );
});
