import path from 'node:path';
import { errorMessage, safeText, writeSetting, type Safe } from '@tenon/core';
import { safeLine } from '../../../ui/safe-lines.js';
import { confirm } from '../panels/confirm.js';
import { pickFromList } from '../panels/pick-from-list.js';
import { isThemeName, loadOwnTheme, ownThemeNames } from '../themes/own-theme.js';
import type { Theme, ThemeName } from '../themes/theme.js';
import type { CommandAnswer, CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';

const THEMES: Readonly<Record<ThemeName, string>> = {
  dark: 'for a dark background',
  light: 'for a light background',
  'high-contrast': 'strong colours only',
  'no-colour': 'bold and underlined at most',
};
/** Those of Tenon, and of files of the person. */
function namesFor({ surroundings }: CommandContext): string[] {
  return [...Object.keys(THEMES), ...ownThemeNames(surroundings.tenonHome)];
}

function detailOf(name: string): string {
  return isThemeName(name) ? THEMES[name] : 'your own';
}

/** `/theme [NAME]`: the colours, tried before they are kept in the person's settings. */
export const themeCommand: CommandBody = {
  run: async (typed, context) => {
    const { stage, setTheme, signal } = context;
    if (typed !== '') {
      const names = namesFor(context);
      const name = names.find((each) => each.toLowerCase() === typed.toLowerCase());
      if (name === undefined) return say(`There is no theme "${typed}": ${names.join(', ')}.`);
      setTheme(name);
      return keep(name, context);
    }
    const before = stage.theme().name;
    let marked = before;
    for (;;) {
      const items = namesFor(context).map((value) => ({ label: value, detail: detailOf(value), value }));
      const name = await pickFromList(stage, { title: safeText`Colours`, items, preselected: marked }, signal);
      if (name === undefined) {
        setTheme(before);
        return {};
      }
      setTheme(name);
      marked = name;
      if (await confirm(stage, preview(stage.theme()), signal)) return keep(name, context);
      setTheme(before);
      if (signal.aborted) return {};
    }
  },
  complete: async (typed, context) =>
    completionsOf(
      namesFor(context).map((word) => ({ word, detail: detailOf(word) })),
      typed,
    ),
};

/** A little of everything, as it would look. */
function preview(theme: Theme): Safe {
  const paint: Theme['paint'] = (role, text) => theme.paint(role, text);
  const code = safeText`${paint('syntaxKeyword', safeText`const`)} ${paint('syntaxName', safeText`name`)} = ${paint('syntaxString', safeText`'tenon'`)}; ${paint('syntaxComment', safeText`// a comment`)}`;
  const states = safeText`${paint('success', safeText`done`)}  ${paint('running', safeText`running`)}  ${paint('warning', safeText`careful`)}  ${paint('error', safeText`failed`)}`;
  return safeText`${paint('heading', safeText`A heading`)}
${paint('user', safeText`What you say`)}, ${paint('strong', safeText`strong`)}, ${paint('link', safeText`a link`)}, ${paint('dim', safeText`aside`)}
${code}
${paint('removed', safeText`- a line that goes`)}
${paint('added', safeText`+ a line that comes`)}
${states}
Keep ${safeLine(theme.name)}?`;
}

/** A theme that cannot be kept holds for this session all the same. */
async function keep(name: string, { surroundings }: CommandContext): Promise<CommandAnswer> {
  const file = path.join(surroundings.tenonHome, 'settings.json');
  const loaded = isThemeName(name) ? undefined : loadOwnTheme(name, surroundings.tenonHome);
  const problems = loaded === undefined ? [] : 'missing' in loaded ? [loaded.missing] : loaded.problems;
  const told = problems.map((problem) => ` ${problem}`).join('');
  try {
    await writeSetting({ file, at: ['ui', 'theme'], value: name, environment: surroundings.env });
    return say(`The colours are now ${name}; ${file} says so from now on.${told}`);
  } catch (thrown) {
    return say(`The colours are now ${name}, for this session only. ${errorMessage(thrown)}`);
  }
}
