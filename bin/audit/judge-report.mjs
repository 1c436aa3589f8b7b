/**
 * An advisory that stays for now, and why that is sound. `until` (YYYY-MM-DD) is when somebody looks at it again.
 * @typedef {{ advisory: string, package: string, why: string, until: string }} Exception
 */

/**
 * What `npm audit --json` says of one package; a text in `via` is another package, which has an entry of its own.
 * @typedef {{ via: (string | { name: string, title: string, url: string, severity: string })[] }} Vulnerability
 */

/**
 * Holds npm's report against the exceptions. Answers a line for each advisory that nobody has explained, each explanation
 * that is due to be looked at again, and each that explains nothing any more; none where all is well.
 * @param {{ vulnerabilities: Record<string, Vulnerability> }} report
 * @param {Exception[]} exceptions
 * @param {string} today YYYY-MM-DD
 * @returns {string[]}
 */
export function judgeReport({ vulnerabilities }, exceptions, today) {
  const found = Object.values(vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((cause) => typeof cause !== 'string');
  const keyOf = (/** @type {{ url: string, name: string }} */ { url, name }) =>
    `${url.split('/').at(-1)} ${name}`;
  const advisories = new Map(found.map((cause) => [keyOf(cause), cause]));
  const explained = new Map(
    exceptions.map((exception) => [`${exception.advisory} ${exception.package}`, exception]),
  );

  const lines = [];
  for (const [key, { severity, title, url }] of advisories) {
    const exception = explained.get(key);
    if (exception === undefined) lines.push(`${severity}: ${key}: ${title} (${url})`);
    else if (exception.until < today)
      lines.push(`look at it again: ${key} was explained until ${exception.until}`);
  }
  for (const key of explained.keys()) {
    if (!advisories.has(key)) lines.push(`explains nothing any more: ${key}`);
  }
  return lines;
}
