import { describe, expect, it } from 'vitest';
import { emailAddress, mailboxSchema } from './email-address';

describe('an email address', () => {
  it('is trimmed and lower case', () => {
    expect(emailAddress.parse(' Ada.Lovelace+test@Example.COM ')).toBe('ada.lovelace+test@example.com');
  });

  it.each([
    ['a look-alike of @', 'ada＠example.com'],
    ['a look-alike of a letter', 'аda@example.com'],
    ['a host that is not ASCII', 'ada@exämple.com'],
    ['a line break', 'ada@example.com\r\nBcc: all@example.com'],
    ['a line break in front of the @', 'ada\n@example.com'],
    ['two addresses', 'ada@example.com,bob@example.com'],
    ['two @', 'ada@example.com@example.org'],
    ['a name', 'Ada <ada@example.com>'],
    ['no host', 'ada@'],
    ['a NUL', 'ada\0@example.com'],
    ['255 characters', `${'a'.repeat(255 - '@example.com'.length)}@example.com`],
  ])('is rejected with %s', (_, address) => {
    expect(emailAddress.safeParse(address).success).toBe(false);
  });
});

describe('a sender', () => {
  it.each([
    ['alerts@example.com', null, 'alerts@example.com'],
    ['<alerts@example.com>', null, 'alerts@example.com'],
    ['Acme Status <Alerts@example.com>', 'Acme Status', 'alerts@example.com'],
    ['"Acme, Inc." <alerts@example.com>', 'Acme, Inc.', 'alerts@example.com'],
    ['Überwachung <alerts@example.com>', 'Überwachung', 'alerts@example.com'],
  ])('%s', (text, name, address) => {
    expect(mailboxSchema.parse(text)).toEqual({ name, address });
  });

  it.each(['Acme', 'Acme <alerts>', 'Acme\r\nBcc: x <a@example.com>', 'a@example.com, b@example.com', ''])(
    'is rejected: %j',
    (text) => {
      expect(mailboxSchema.safeParse(text).success).toBe(false);
    },
  );
});
