import { afterEach, describe, expect, it } from 'vitest';
import { createLanguageProject, textOf, WITH_NATIVE, type LanguageProject } from '../testing/language-project.js';

const FILES = {
  'tsconfig.json': '{"compilerOptions": {"strict": true, "types": []}}',
  'a.ts': 'export const alpha: number = 1;\n',
  'b.ts': "import { alpha } from './a';\nexport const beta: number = alpha;\n",
  'README.md': 'old\n',
  ...WITH_NATIVE,
};

const projects: LanguageProject[] = [];
afterEach(async () => {
  for (const project of projects.splice(0)) await project.remove();
});

async function open(diagnostics: 'running' | 'always' | 'off'): Promise<LanguageProject> {
  const project = await createLanguageProject(FILES, { diagnostics });
  projects.push(project);
  return project;
}

const edit = (project: LanguageProject, file: string, before: string, after: string): readonly [string, object] => [
  'edit',
  { file_path: project.workspace.path(file), old_string: before, new_string: after },
];

async function told(project: LanguageProject, ...calls: readonly (readonly [string, object])[]): Promise<string> {
  return (await project.call(...calls)).map(textOf).join('\n');
}

describe('after edits', { timeout: 60_000 }, () => {
  it('nothing is said where no server runs, and no server is started for it', async () => {
    const project = await open('running');
    expect(await told(project, edit(project, 'a.ts', 'number', 'string'))).not.toMatch(/diagnostics|check/i);
    expect(project.servers.running()).toEqual([]);
  });

  it('with `always` a server is started, and says what is new, in other files too', async () => {
    const project = await open('always');
    const first = await told(project, edit(project, 'a.ts', '1;', '2;'));
    expect(first).toMatch(/No new diagnostics \(typescript\)|Could not check a\.ts/);
    await project.ask({ operation: 'diagnostics', filePath: 'b.ts' });
    const second = await told(project, edit(project, 'a.ts', 'number = 2', "string = 'x'"));
    expect(second).toMatch(/New diagnostics since this change \(typescript\):\nb\.ts:2:14 {2}error/);
    expect(await told(project, edit(project, 'README.md', 'old', 'new'))).not.toMatch(/diagnostics|check/i);
  });

  it('with `off` nothing is said, but servers are told', async () => {
    const project = await open('off');
    await project.ask({ operation: 'diagnostics', filePath: 'a.ts' });
    expect(await told(project, edit(project, 'a.ts', '1;', "'x';"))).not.toMatch(/diagnostics|check/i);
    expect(await project.ask({ operation: 'diagnostics', filePath: 'a.ts' })).toContain('a.ts:1:14  error');
  });

  it('edits of one batch are compared with what was before all of them', async () => {
    const project = await open('running');
    for (const filePath of ['a.ts', 'b.ts']) await project.ask({ operation: 'diagnostics', filePath });
    const ends = await project.call(
      edit(project, 'a.ts', 'number = 1', "string = 'x'"),
      edit(project, 'b.ts', 'beta: number', 'beta: string'),
    );
    expect(ends.map(textOf).join('\n')).toContain('No new diagnostics (typescript).');
    const broken = await project.call(
      edit(project, 'a.ts', "string = 'x'", 'boolean = true'),
      edit(project, 'b.ts', 'beta: string', 'beta: symbol'),
    );
    expect(broken.map(textOf).join('\n')).toMatch(/New diagnostics[^]*b\.ts:2:14/);
  });

  it('servers learn of files that a command made', async () => {
    const project = await open('running');
    await project.workspace.write({ 'c.ts': "import { made } from './made';\nexport const c: number = made;\n" });
    expect(await project.ask({ operation: 'diagnostics', filePath: 'c.ts' })).toContain('c.ts:1:22  error');
    const command = "printf 'export const made = 1;\\n' > made.ts";
    expect((await project.call(['run_shell_command', { command }]))[0]?.status).toBe('success');
    expect(await project.ask({ operation: 'diagnostics', filePath: 'c.ts' })).toContain('checked, no errors');
  });
});
