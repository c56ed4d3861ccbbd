/** In one pass: what is typed stays as it is. `$1` and the like are left alone, for they are what commands of a shell are written with. */
const BLANK = /\$\{(?:[A-Z]+_)?SKILL_DIR\}|\$ARGUMENTS\[(\d{1,2})\]|\$ARGUMENTS\b|\{\{args\}\}/g;
/** As other agents run them when they load a text: `` !`command` `` where a word begins. */
const COMMAND = /(?<=^|\s)!`[^`\n]+`/m;

export interface Filled {
  readonly text: string;
  readonly hasCommands: boolean;
}

/** The body of a skill with `$ARGUMENTS`, `$ARGUMENTS[0]`, `{{args}}` and `${…SKILL_DIR}` filled. Commands in it stay text. Pure. */
export function fillSkill(body: string, args: string, folder: string): Filled {
  let isTaken = false;
  const words = splitWords(args);
  const text = body.replaceAll(BLANK, (blank, index: string | undefined) => {
    if (blank.startsWith('${')) return folder;
    isTaken = true;
    return index === undefined ? args : (words[Number(index)] ?? '');
  });
  const added = args === '' || isTaken ? '' : `\n\nArguments: ${args}`;
  return { text: text + added, hasCommands: COMMAND.test(body) };
}

/** Blanks part words, quotes of both kinds hold them together. */
function splitWords(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
