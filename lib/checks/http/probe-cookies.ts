import type { CookieJar } from 'tough-cookie';

/** What browsers keep of a site. */
const MAX_COOKIES = 180;
const MAX_COOKIE_BYTES = 4096;
/** More than most servers accept in a request. */
const MAX_SENT_BYTES = 16 * 1024;

/** The cookies that the redirects of one check set (RFC 6265). Nothing of them outlives the check. */
export class CheckCookies {
  readonly #jar: CookieJar;
  #count = 0;

  private constructor(jar: CookieJar) {
    this.#jar = jar;
  }

  /** Loads the library: most checks see no cookie in a redirect. */
  static async create(): Promise<CheckCookies> {
    const library = await import('tough-cookie');
    return new CheckCookies(new library.CookieJar());
  }

  /** Keeps what the response of a URL sets. What is invalid, meant for other sites, or too much is ignored, as in browsers. */
  keep(url: string, setCookies: readonly string[]): void {
    for (const text of setCookies) {
      if (text.length > MAX_COOKIE_BYTES || this.#count === MAX_COOKIES) continue;
      this.#count += 1;
      this.#jar.setCookieSync(text, url, { ignoreError: true });
    }
  }

  /** The `Cookie` header of a request: `own` without the names that were set since, then what was set; null if there is none. */
  headerFor(url: string, own: string | undefined): string | null {
    const set = this.#jar.getCookiesSync(url);
    const names = new Set(set.map(({ key }) => key));
    const pairs = (own ?? '').split(';').map((pair) => pair.trim());
    const kept = pairs.filter((pair) => pair !== '' && !names.has(pair.split('=')[0] ?? ''));
    let header = kept.join('; ');
    for (const cookie of set) {
      const longer = `${header}${header && '; '}${cookie.cookieString()}`;
      if (longer.length <= MAX_SENT_BYTES) header = longer;
    }
    return header || null;
  }
}
