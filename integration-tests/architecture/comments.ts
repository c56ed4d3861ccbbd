import ts from 'typescript';
import type { SourceFile } from '../source-files.js';
import { findingAt, parse, walk, type Finding } from './finding.js';

const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:eslint|oxlint|tslint|biome)-(?:disable|ignore)/,
    'A check is not switched off: change the code, or the rule for all.',
  ],
  [/@ts-(?:ignore|expect-error|nocheck)\b/, 'The type checker is not switched off.'],
  [/\b(?:TODO|FIXME|XXX|HACK)\b/, 'Unfinished work is an issue, not a comment.'],
];

/** Comments that switch checks off, and notes about work to be done. Strings may hold what they like. */
export function checkComments(files: readonly SourceFile[]): Finding[] {
  // Few files have such words at all.
  const suspects = files.filter(({ text }) => FORBIDDEN.some(([pattern]) => pattern.test(text)));
  return suspects.flatMap((file) => {
    const source = parse(file);
    return commentsOf(source).flatMap(({ text, position }) =>
      FORBIDDEN.filter(([pattern]) => pattern.test(text)).map(([, message]) => findingAt(source, position, message)),
    );
  });
}

function commentsOf(source: ts.SourceFile): { text: string; position: number }[] {
  const code = withoutLiterals(source);
  return [...code.matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g)].map((match) => ({ text: match[0], position: match.index }));
}

/** The text with the insides of strings, templates and regular expressions blanked, so that `//` means a comment. */
function withoutLiterals(source: ts.SourceFile): string {
  const { text } = source;
  let blanked = '';
  walk(source, (node) => {
    const isPiece = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (!ts.isStringLiteralLike(node) && !ts.isRegularExpressionLiteral(node) && !isPiece) return;
    const [start, end] = [node.getStart(), node.getEnd()];
    blanked += text.slice(blanked.length, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ');
  });
  return blanked + text.slice(blanked.length);
}
