import { expect, it } from 'vitest';
import { accessFields } from './access';

it.each(['010.0.0.0/8', '10.1/16', '1/8', '0x0a.0.0.0/8', 'fe80::1%eth0/64'])(
  'the range %s, which could be read in two ways, is refused',
  (range) => {
    expect(accessFields.allowedCidrs.safeParse(['203.0.113.0/24', range]).error?.issues).toMatchObject([
      { path: [1], message: 'must be an IP address or a range such as 203.0.113.0/24' },
    ]);
  },
);
