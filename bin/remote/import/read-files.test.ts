import { mkdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { useFolder } from '@/e2e/support/use-folder';
import { readPlan } from './read-files';

const folder = useFolder();
const CONFIG = `
endpoints:
  - name: shop
    url: https://\${HOST}/
    headers: { Authorization: "\${TOKEN}" }
    conditions: ["[STATUS] == 200"]
`;

it('values of placeholders can be comments, exported, empty or quoted over several lines', async () => {
  const config = await folder.save('config.yaml', CONFIG);
  const lines = '# of Gatus\n\nexport HOST=shop.example.com\nEMPTY=\nTOKEN="first\nno assignment" # old\n';
  const { items } = await readPlan('gatus', [config], await folder.save('good.env', lines));
  expect(items[0]?.monitor?.url).toBe('https://shop.example.com/');
});

it('a line that sets nothing is named, without showing it', async () => {
  const config = await folder.save('config.yaml', CONFIG);
  const file = await folder.save('bad.env', 'HOST=shop.example.com\nTOKEN: hush\n');
  await expect(readPlan('gatus', [config], file)).rejects.toThrow(/bad\.env, line 2: expected NAME=value$/);
});

it('a file of Gatus that is named twice, by itself and by its folder, is read once', async () => {
  await mkdir(folder.path('gatus'));
  const config = await folder.save('gatus/config.yaml', CONFIG);
  expect((await readPlan('gatus', [folder.path('gatus'), config])).items).toHaveLength(1);
});
