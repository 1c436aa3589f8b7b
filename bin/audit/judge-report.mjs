/**
 * An accepted advisory and the reason. `until` (YYYY-MM-DD) is when to review it.
 * @typedef {{ advisory: string, package: string, why: string, until: string }} Exception
 */

/**
 * One package in `npm audit --json`. A string in `via` names another package, which has its own entry.
 * @typedef {{ via: (string | { name: string, title: string, url: string, severity: string })[] }} Vulnerability
 */

/**
 * Compares npm's report with the exceptions. Returns a line for each advisory without an exception, each exception due for
 * review, and each obsolete exception.
 * @param {{ vulnerabilities: Record<string, Vulnerability> }} report
 * @param {Exception[]} exceptions
 * @param {string} today YYYY-MM-DD
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
      lines.push(`review the exception: ${key} was accepted until ${exception.until}`);
  }
  for (const key of explained.keys()) {
    if (!advisories.has(key)) lines.push(`obsolete exception: ${key}`);
  }
  return lines;
}
