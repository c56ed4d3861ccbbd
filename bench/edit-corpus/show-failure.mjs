// One failing case as text: what was asked, what is acceptable, what came of it. White space is made visible.

const MAX_LENGTH = 6000;

export function showFailure({ group, name, request, acceptable, verdict, got, content, repaired }) {
  const [first] = acceptable;
  const parts = [
    `${verdict.toUpperCase()}  ${group}: ${name}`,
    `  got ${got}${repaired === false ? '; the suggestion does not apply' : ''}`,
  ];
  for (const { oldText, newText } of request.steps) {
    parts.push('  old', indent(oldText, '    | '), '  new', indent(newText, '    | '));
  }
  if (first.content === undefined) parts.push(`  expected: refused (${first.refused.join(', ') || 'for any reason'})`);
  if (content === undefined) parts.push('  file', indent(request.text ?? '', '    | '));
  else parts.push('  file (-) and what it became (+)', difference(request.text ?? '', content));
  if (first.content !== undefined) {
    parts.push('  file (-) and what is expected (+)', difference(request.text ?? '', first.content));
  }
  return parts.join('\n').slice(0, MAX_LENGTH);
}

function indent(text, margin) {
  return linesOf(text)
    .map((line) => margin + line)
    .join('\n');
}

/** The lines between the equal ones at both ends. */
function difference(before, after) {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(head, old.length - tail).map((line) => `    - ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `    + ${line}`),
  ].join('\n');
}

function linesOf(text) {
  return text.split(/(?<=\n)/).map((line) =>
    line
      .replaceAll('\t', '→')
      .replaceAll(/ +(?=\r?\n?$)/g, (blanks) => '·'.repeat(blanks.length))
      .replaceAll('\r', '␍')
      .replace(/\n$/, '␤')
      .replaceAll(
        /[\u00A0\u00AD\u200B-\u200F\u2028\u2029\u202F\u2009\u3000\uFEFF\f\v]/g,
        (sign) => `{${sign.codePointAt(0).toString(16)}}`,
      ),
  );
}
