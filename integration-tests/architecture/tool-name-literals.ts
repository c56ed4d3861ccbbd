import ts from 'typescript';
import type { SourceFile } from '../source-files.js';
import { findingAt, isTest, parse, walk, type Finding } from './finding.js';

const TOOLS = 'packages/core/src/tools/';
const MAY_SPELL: ReadonlySet<string> = new Set([
  `${TOOLS}tool-names.ts`,
  `${TOOLS}builtin-tools.ts`,
  'packages/core/src/policy/tool-aliases.ts',
]);

/**
 * Only a tool's own file, the list of names, the list of tools and the policy's aliases spell a tool's
 * name; everyone else asks for effects, or says `ToolNames`. Names that are plain words (`edit`, `glob`)
 * count only where a tool's name is meant.
 */
export function checkToolNames(files: readonly SourceFile[], toolNames: readonly string[]): Finding[] {
  return files
    .filter(({ path, text }) => !isTest(path) && !MAY_SPELL.has(path) && !isToolFile(path, text))
    .flatMap((file) => {
      const source = parse(file);
      const findings: Finding[] = [];
      walk(source, (node) => {
        if (!isText(node)) return;
        const name = toolNames.find((candidate) => spells(node, candidate));
        if (name === undefined) return;
        findings.push(
          findingAt(source, node.getStart(), `Spells the tool name "${name}": use ToolNames, or better its effects.`),
        );
      });
      return findings;
    });
}

type TextNode = ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail;

function isText(node: ts.Node): node is TextNode {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

function isToolFile(path: string, text: string): boolean {
  return path.startsWith(TOOLS) && /^ {2}static readonly Name = /m.test(text);
}

function spells(node: TextNode, name: string): boolean {
  if (name.includes('_')) return new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`).test(node.text);
  return node.text === name && isNamePlace(node);
}

/** Compared with, given as or looked up as the name of a tool. */
function isNamePlace(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return isNameLike(parent.left) || isNameLike(parent.right);
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'toolName';
  if (ts.isCaseClause(parent)) return isNameLike(parent.parent.parent.expression);
  return ts.isCallExpression(parent) && /\bgetTool$/.test(parent.expression.getText());
}

function isNameLike(node: ts.Expression): boolean {
  return /(^|\.)(toolName|tool\.name)$/.test(node.getText());
}
