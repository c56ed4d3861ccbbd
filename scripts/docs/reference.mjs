// The reference pages that come from the sources: settings, commands of a session, keys.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { SETTINGS } from '../../packages/core/dist/index.js';
import { cell, GENERATED } from './markdown.mjs';

const PROJECT = {
  free: 'counts',
  stricter: 'counts where it is stricter',
  trusted: 'counts once the folder is trusted with it',
  ignored: 'is ignored',
};

export function settings() {
  const rows = SETTINGS.map(
    ({ key, sentence, default: value, project, aliases }) =>
      `| \`${key}\`${(aliases ?? []).map((alias) => ` (or \`${alias}\`)`).join('')} | ${cell(sentence)} | ${value === undefined ? '' : `\`${JSON.stringify(value)}\``} | ${PROJECT[project]} |`,
  );
  return `# Settings

JSON with comments, in \`~/.tenon/settings.json\` (or below \`TENON_HOME\`) for you and in \`.tenon/settings.json\` for a project;
an administrator bounds both in the machine's own file, such as \`/etc/tenon/settings.json\` (see the guide on rules and approvals).
\`tenon config\` shows the values that hold and where each comes from. ${GENERATED}

| key | meaning | default | in a project's file |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

const interactive = fileURLToPath(new URL('../../packages/cli/src/doors/interactive/', import.meta.url));

/** A module of the terminal as it is in the sources. What it loads only when it is used is left out. */
async function terminalModule(file) {
  const withoutBodies = {
    name: 'without-bodies',
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === 'dynamic-import' ? { path, external: true } : undefined,
      ),
  };
  const { outputFiles } = await build({
    entryPoints: [join(interactive, file)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    plugins: [withoutBodies],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

export async function commands() {
  const { BUILTIN_COMMANDS } = await terminalModule('commands/command-list.ts');
  const rows = BUILTIN_COMMANDS.map(({ name, usage, sentence, aliases = [], isAlwaysThere }) => {
    const also = aliases.map((alias) => `\`/${alias}\``).join(', ');
    const call = `/${name}${usage === undefined ? '' : ` ${usage}`}`.replaceAll('|', '\\|');
    return `| \`${call}\` | ${cell(sentence)} | ${also} | ${isAlwaysThere === true ? 'yes' : ''} |`;
  });
  return `# Commands of a session

What can be typed behind a slash. Those that may be used while the model works run at once; the others wait in line. Commands of
your own and the prompts of servers come on top (see [the terminal](../guide/terminal.md)). ${GENERATED}

| command | what it does | also | while the model works |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

export async function keys() {
  const { bindKeys, describeKeys } = await terminalModule('composer/key-bindings.ts');
  const bindings = bindKeys();
  const described = describeKeys(bindings);
  const rows = bindings.rows.map(({ action }, index) => {
    const { keys: names, does } = described[index];
    return `| \`${action}\` | ${names.map((name) => `\`${name}\``).join(', ')} | ${cell(does).replaceAll('\\`', '`')} |`;
  });
  return `# Keys

What the keys do while you type. \`ui.keys\` gives an action other keys, by its name: \`{"ui": {"keys": {"openTranscript": "f2"}}}\`
(see [the terminal](../guide/terminal.md)). ${GENERATED}

| action | keys | what it does |
| --- | --- | --- |
${rows.join('\n')}
`;
}
