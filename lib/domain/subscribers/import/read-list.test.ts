import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readSubscriberList } from './read-list';

const read = (csv: string) => readSubscriberList(csv, 'en');
const item = (line: number, email: string, rows: string[] = [], language = 'en') => ({
  line,
  email,
  rows,
  language,
});

describe('a list of subscribers', () => {
  it('has a column for the address, in any place, and optionally rows and language', async () => {
    const { listed, refused } = await read(
      'Name;Rows;"Email";Language\r\nAda;"API; Login";Ada@Example.com;DE\n\nBob;;bob@example.com;\nEve;;eve@example.com;pt-BR\n',
    );
    expect(listed).toEqual([
      item(2, 'ada@example.com', ['API; Login'], 'de'),
      item(4, 'bob@example.com'),
      item(5, 'eve@example.com', [], 'pt'),
    ]);
    expect(refused).toEqual([]);
  });

  it('has no language that status pages do not have', async () => {
    expect(await read('email,language\nada@example.com,xx')).toEqual({
      listed: [],
      refused: [
        { line: 2, code: 'unknown_language', message: 'has another language than en, de, fr, es, ja, pt' },
      ],
    });
  });

  it('can be without a header: an address per line, then rows', async () => {
    expect((await read('\ufeffada@example.com\nbob@example.com,API,"Login, web"\n')).listed).toEqual([
      item(1, 'ada@example.com'),
      item(2, 'bob@example.com', ['API', 'Login, web']),
    ]);
  });

  it('without a header is separated by what ends the first address, not by what its rows contain', async () => {
    const { listed, refused } = await readSubscriberList('ada@x.org,API; Login; Billing\ngrace@x.org', 'en');
    expect(listed.map(({ email, rows }) => [email, rows])).toEqual([
      ['ada@x.org', ['API; Login; Billing']],
      ['grace@x.org', []],
    ]);
    expect(refused).toEqual([]);
    expect((await readSubscriberList('ada@x.org;API;Login', 'en')).listed[0]?.rows).toEqual(['API', 'Login']);
  });

  it('has nobody who is notified in another way, as exports have them', async () => {
    const { listed, refused } = await read('email,channel\nada@example.com,webhook\nbob@example.com,email');
    expect(listed).toEqual([item(3, 'bob@example.com')]);
    expect(refused).toMatchObject([{ line: 2, code: 'other_channel' }]);
  });

  it('reads what an export has to protect from spreadsheets', async () => {
    expect((await read("email\n'+ada@example.com\n'c@example.com")).listed).toEqual([
      item(2, '+ada@example.com'),
      item(3, "'c@example.com"),
    ]);
  });

  it('is read line by line: what is wrong with one affects no other', async () => {
    const { listed, refused } = await read(
      'email\n"ada@example.com\nnobody\nbob@example.com\n,\na@\u0435x.com',
    );
    expect(listed).toEqual([item(4, 'bob@example.com')]);
    expect(refused).toEqual([
      { line: 2, code: 'invalid_csv', message: 'has a quote that does not end' },
      ...[3, 5, 6].map((line) => ({
        line,
        code: 'invalid_email',
        message: 'has no valid email address',
      })),
    ]);
  });

  it('has at least one line, and at most 5,000', async () => {
    await expect(read(' \n\n')).rejects.toThrow('The list is empty.');
    const lines = Array.from({ length: 5000 }, (_, n) => `a${n}@example.com`);
    expect((await read(['email', ...lines].join('\n'))).listed).toHaveLength(5000);
    await expect(read([...lines, 'b@example.com'].join('\n'))).rejects.toThrow('more than 5,000 lines');
  });

  it('of thousands of lines lets others have their turn meanwhile', async () => {
    let turns = 0;
    let isRead = false;
    const others = async () => {
      for (; !isRead; turns += 1) await setImmediate();
    };
    const lines = Array.from({ length: 5000 }, (_, n) => `a${n}@example.com,API; Login`);
    const reading = read(lines.join('\n')).finally(() => {
      isRead = true;
    });
    await Promise.all([reading, others()]);
    expect(turns).toBeGreaterThan(3);
  });

  it('does not read lines of more than 10,000 characters, which take long', async () => {
    const cells = ','.repeat(10_000);
    const { listed, refused } = await read(['a@example.com', `b@example.com${cells}`].join('\n'));
    expect(listed.map(({ email }) => email)).toEqual(['a@example.com']);
    expect(refused).toEqual([{ line: 2, code: 'invalid_csv', message: 'is longer than 10,000 characters' }]);
    await expect(read(`b@example.com${cells}`)).rejects.toThrow('The first line of the list is longer than');
  });
});
