/** One page of a list. */
export type Page<Item> = {
  items: Item[];
  /** For the `cursor` of the next call; null on the last page. */
  cursor: string | null;
  /** How many items match in all, of lists that say so; null otherwise. */
  total: number | null;
};

/** The largest page, so that few requests fetch everything. */
const PAGE_SIZE = 100;

type FetchPage<Item> = (changes: { limit?: number; cursor?: string }) => Promise<Page<Item>>;

/**
 * A list of the API. Nothing is fetched before it is used: `for await` fetches page after page, and stops fetching when the loop
 * ends.
 */
export class List<Item> implements AsyncIterable<Item> {
  readonly #fetch: FetchPage<Item>;
  readonly #limit: number | undefined;

  constructor(fetch: FetchPage<Item>, limit: number | undefined) {
    this.#fetch = fetch;
    this.#limit = limit;
  }

  /** Fetches one page: the first one, or that of the `cursor` of the query. */
  page(): Promise<Page<Item>> {
    return this.#fetch({});
  }

  /** The first `count` items, or all if there are fewer. */
  async take(count: number): Promise<Item[]> {
    const items: Item[] = [];
    if (count <= 0) return items;
    for await (const item of this.#iterate(Math.min(count, PAGE_SIZE))) {
      items.push(item);
      if (items.length >= count) break;
    }
    return items;
  }

  /** Every item, from one page after another. */
  [Symbol.asyncIterator](): AsyncIterator<Item, undefined> {
    return this.#iterate(PAGE_SIZE);
  }

  async *#iterate(pageSize: number): AsyncGenerator<Item, undefined> {
    const limit = this.#limit ?? pageSize;
    for (let cursor: string | undefined; ; ) {
      const page = await this.#fetch(cursor === undefined ? { limit } : { limit, cursor });
      yield* page.items;
      if (page.cursor === null) return undefined;
      cursor = page.cursor;
    }
  }
}

/** The page in a response. */
export function readPage<Item>(items: Item[], headers: Headers): Page<Item> {
  const total = headers.get('x-total-count');
  return { items, cursor: readCursor(headers.get('link')), total: total === null ? null : Number(total) };
}

/** The cursor of the next page in a `Link` header. Only the cursor counts: the service may know itself by another address. */
function readCursor(link: string | null): string | null {
  const next = /<([^>]*)>\s*;\s*rel="?next"?/i.exec(link ?? '')?.[1];
  if (next === undefined) return null;
  return new URL(next, 'http://localhost').searchParams.get('cursor');
}
