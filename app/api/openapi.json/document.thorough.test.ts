import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, it } from 'vitest';
import { writeDocument } from './describe';

it("the OpenAPI document passes Spectral's recommended rules without a warning", async () => {
  const text = await writeDocument({ serviceName: 'Pharos', baseUrl: 'https://pharos.test/api' });
  const linter = new spectral.Spectral();
  linter.setRuleset(rulesets.oas as spectral.RulesetDefinition);
  const problems = await linter.run(JSON.parse(text));
  expect(problems.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([]);
});
