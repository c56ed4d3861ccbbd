import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { GlobTool, type GlobToolParams } from './glob.js';

const { config, workspace, reset, remove } = await createTempConfig();
const tool = new GlobTool(config);
afterEach(reset);
afterAll(remove);

async function told(pattern: GlobToolParams['pattern'], path?: string): Promise<string> {
  const params = { pattern, ...(path !== undefined && { path }) };
  return (await tool.execute(params, new AbortController().signal)).llmContent as string;
}

describe('where glob finds nothing', () => {
  it('says how brackets are written that stand in names', async () => {
    await workspace.write({ 'src/app/[slug]/page.tsx': '', 'src/app/[slug]/[...rest]/a.tsx': '' });
    expect(await told('src/app/[slug]/*.tsx')).toContain(
      ' 1 file would match with the brackets taken literally: write "src/app/\\[slug\\]/*.tsx", or give the folder as path.',
    );
    expect(await told('src/app/\\[slug\\]/*.tsx')).toMatch(/^Found 1 file/);
    expect(await told('*.tsx', 'src/app/[slug]')).toMatch(/^Found 1 file/);
    expect(await told('**/[slug]/**')).toContain(' 2 files would match with the brackets taken literally');
    expect(await told(workspace.path('src/app/[slug]/*.tsx'))).toContain(' 1 file would match with the brackets');
    expect(await told(['**/[slug]/**', '!a.tsx'])).toContain(' 1 file would match with the brackets');
    expect(await told('src/[x]/*.tsx')).not.toContain('literally');
  });

  it('says how many files lie deeper', async () => {
    await workspace.write({ 'src/a/x.tsx': '', 'src/a/b/y.tsx': '' });
    for (const pattern of ['src/*.tsx', 'src/**.tsx', './src/*.tsx'])
      expect(await told(pattern)).toMatch(
        / 2 files would match deeper below: ".*src\/\*\*\/\*\.tsx" goes into sub-fold/,
      );
    expect(await told(workspace.path('src/*.tsx'))).toContain(
      ` 2 files would match deeper below: "${workspace.path('src/**/*.tsx')}" goes into sub-folders.`,
    );
    expect(await told('src/*.md')).not.toContain('deeper');
  });
});
