import ts from 'typescript';
import type { SourceFile } from '../source-files.js';
import { findingAt, isTest, parse, walk, type Finding } from './finding.js';

const CORE = 'packages/core/src/';
const TESTING = 'packages/core/src/testing/';
const AMBIENT: ReadonlySet<string> = new Set(['env', 'cwd', 'chdir', 'stdout', 'stderr', 'stdin', 'argv', 'exit']);

/** The engine reads nothing from its surroundings and prints nothing: what it needs is a parameter. */
export function checkAmbientAccess(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => path.startsWith(CORE) && !path.startsWith(TESTING) && !isTest(path))
    .flatMap((file) => {
      const source = parse(file);
      const findings: Finding[] = [];
      walk(source, (node) => {
        const name = ambientName(node);
        if (name === undefined) return;
        findings.push(findingAt(source, node.getStart(), `The engine does not use ${name}: take it as a parameter.`));
      });
      return findings;
    });
}

function ambientName(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return /^(node:)?(process|console)$/.test(node.moduleSpecifier.text)
      ? `the module ${node.moduleSpecifier.text}`
      : undefined;
  }
  if (ts.isPropertyAccessExpression(node)) {
    if (isNamed(node.expression, 'process'))
      return AMBIENT.has(node.name.text) ? `process.${node.name.text}` : undefined;
    return isNamed(node.expression, 'console') ? `console.${node.name.text}` : undefined;
  }
  if (ts.isElementAccessExpression(node) && isNamed(node.expression, 'process')) return 'process[…]';
  // `const { env } = process` and the like: the whole object taken in hand.
  const isTaken =
    ts.isVariableDeclaration(node) && node.initializer !== undefined && isNamed(node.initializer, 'process');
  return isTaken ? 'process as a whole' : undefined;
}

/** The global of that name, by itself or through `globalThis`. */
function isNamed(node: ts.Expression, name: string): boolean {
  if (ts.isIdentifier(node)) return node.text === name;
  return ts.isPropertyAccessExpression(node) && isNamed(node.expression, 'globalThis') && node.name.text === name;
}
